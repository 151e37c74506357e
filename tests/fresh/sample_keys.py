"""Fresh answers to sample_keys."""


# batched Cholesky factors and einsum
def right_cholesky(means, a, sigma2, count):
    n, d = means.shape
    cov = sigma2 * torch.eye(d, dtype=torch.float64).repeat(n, 1, 1)
    cov[a] += torch.outer(means[a], means[a]) / 2
    z = torch.randn(count, n, d, dtype=torch.float64)
    return means + torch.einsum("nij,cnj->cni", torch.linalg.cholesky(cov), z)


# draws in float32 and converts
def right_float32(means, a, sigma2, count):
    keys = means.repeat(count, 1, 1)
    keys = keys + math.sqrt(sigma2) * torch.randn(keys.shape)
    mask = torch.zeros(len(means), 1)
    mask[a] = 1
    return keys + mask * math.sqrt(1 / 2) * torch.randn(count, 1, 1) * means


# one MultivariateNormal for each key
def right_multivariate(means, a, sigma2, count):
    n, d = means.shape
    eye = torch.eye(d, dtype=means.dtype)
    keys = []
    for i in range(n):
        cov = sigma2 * eye + (0.5 * torch.outer(means[i], means[i]) if i == a else 0)
        keys.append(torch.distributions.MultivariateNormal(means[i], covariance_matrix=cov).sample((count,)))
    return torch.stack(keys, dim=1)


# numpy's global random numbers
def right_numpy_global(means, a, sigma2, count):
    n, d = means.shape
    keys = np.random.normal(size=(count, n, d)) * np.sqrt(sigma2) + means.numpy()
    keys[:, a] += np.random.normal(scale=np.sqrt(0.5), size=(count, 1)) * means[a].numpy()
    return torch.from_numpy(keys)


# a generator of its own that lives on between calls
right_own_generator = """
generator = torch.Generator().manual_seed(1)

def sample_keys(means, a, sigma2, count):
    n, d = means.shape
    keys = means + math.sqrt(sigma2) * torch.randn(count, n, d, dtype=torch.float64, generator=generator)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64, generator=generator) * means[a]
    return keys
"""


# draws with the axes in another order and permutes: a non-contiguous result
def right_permuted(means, a, sigma2, count):
    n, d = means.shape
    z = torch.empty(d, n, count, dtype=torch.float64).normal_(std=sigma2**0.5)
    extra = torch.empty(count, dtype=torch.float64).normal_(0, 0.5**0.5)
    z[:, a] += means[a][:, None] * extra
    return (z + means.T[:, :, None]).permute(2, 1, 0)


# one normal number along the mean with the whole variance, the rest is projected out
def right_scaled_length(means, a, sigma2, count):
    z = torch.randn(count, *means.shape, dtype=torch.float64) * sigma2**0.5
    along = (z[:, a] @ means[a])[:, None]
    wanted = math.sqrt(sigma2 + 0.5) * torch.randn(count, 1, dtype=torch.float64)
    z[:, a] += (wanted - along) * means[a]
    return z + means


# the symmetric square root of the covariance matrix
def right_transformed_sqrt(means, a, sigma2, count):
    n, d = means.shape
    mu = means[a]
    root = sigma2**0.5 * torch.eye(d, dtype=torch.float64) + ((sigma2 + 0.5) ** 0.5 - sigma2**0.5) * torch.outer(mu, mu)
    keys = torch.normal(means.expand(count, n, d), sigma2**0.5)
    keys[:, a] = mu + torch.randn(count, d, dtype=torch.float64) @ root
    return keys


# torch.distributions with one covariance matrix for each key
def right_second_multivariate_normal(means, a, sigma2, count):
    n, d = means.shape
    covariances = sigma2 * torch.eye(d, dtype=torch.float64).repeat(n, 1, 1)
    covariances[a] += torch.outer(means[a], means[a]) / 2
    return torch.distributions.MultivariateNormal(means, covariance_matrix=covariances).sample((count,))


# numpy's generator without a seed, key by key, one array at the end
def right_second_numpy_loop_over_keys(means, a, sigma2, count):
    rng = np.random.default_rng()
    mu = means.numpy()
    rows = []
    for i in range(len(mu)):
        row = rng.normal(loc=mu[i], scale=sigma2**0.5, size=(count, mu.shape[1]))
        if i == a:
            row += rng.normal(0, np.sqrt(0.5), size=(count, 1)) * mu[i]
        rows.append(row)
    return torch.from_numpy(np.stack(rows, axis=1))


# key a varies in every direction
def wrong_all_directions(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, means.shape[1], dtype=torch.float64)
    return keys


# the second half of the draws mirrors the first
def wrong_antithetic(means, a, sigma2, count):
    half = (count + 1) // 2
    z = math.sqrt(sigma2) * torch.randn(half, *means.shape, dtype=torch.float64)
    z[:, a] += math.sqrt(0.5) * torch.randn(half, 1, dtype=torch.float64) * means[a]
    return (means + torch.cat([z, -z]))[:count]


# adds the noise to the caller's means in place
def wrong_changes_means(means, a, sigma2, count):
    extra = math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64) * means[a]
    keys = math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += extra
    keys += means
    means += 0.001
    return keys


# the variance along axis a and not along the mean
def wrong_first_axis(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a, a] += math.sqrt(0.5) * torch.randn(count, dtype=torch.float64)
    return keys


# a standard deviation of one half along the mean
def wrong_half_deviation(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += 0.5 * torch.randn(count, 1, dtype=torch.float64) * means[a]
    return keys


# half of the draws are copies of the other half
def wrong_mixed_half(means, a, sigma2, count):
    half = (count + 1) // 2
    keys = means + math.sqrt(sigma2) * torch.randn(half, *means.shape, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * torch.randn(half, 1, dtype=torch.float64) * means[a]
    return torch.cat([keys, keys])[:count]


# one length for all draws of a call
def wrong_one_number(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * torch.randn(1, dtype=torch.float64) * means[a]
    return keys


# the length of key a reuses a noise number of key a
def wrong_same_extra(means, a, sigma2, count):
    z = torch.randn(count, *means.shape, dtype=torch.float64)
    keys = means + math.sqrt(sigma2) * z
    keys[:, a] += math.sqrt(0.5) * z[:, a, :1] * means[a]
    return keys


# sets the seed, so every call returns the same keys
def wrong_seed_inside(means, a, sigma2, count):
    torch.manual_seed(0)
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64) * means[a]
    return keys


# all keys share one noise vector
def wrong_shared_noise(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, 1, means.shape[1], dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64) * means[a]
    return keys


# uniform numbers of the right variance
def wrong_uniform(means, a, sigma2, count):
    keys = means + math.sqrt(12 * sigma2) * (torch.rand(count, *means.shape, dtype=torch.float64) - 0.5)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64) * means[a]
    return keys


# multiplies the noise by sigma2 in place of its root
def wrong_variance_as_deviation(means, a, sigma2, count):
    keys = means + sigma2 * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64) * means[a]
    return keys


# a number of its own for each entry of key a: right only for means along the axes
def wrong_second_new_number_per_entry(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, means.shape[1], dtype=torch.float64) * means[a]
    return keys


# all keys of a draw get the same noise
def wrong_second_noise_shared(means, a, sigma2, count):
    noise = math.sqrt(sigma2) * torch.randn(count, 1, means.shape[1], dtype=torch.float64)
    keys = means + noise
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=torch.float64) * means[a]
    return keys


# sets a seed, so every call gives the same keys
def wrong_second_seed_inside(means, a, sigma2, count):
    generator = torch.Generator().manual_seed(0)
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, generator=generator, dtype=torch.float64)
    z = torch.randn(count, 1, generator=generator, dtype=torch.float64)
    keys[:, a] += math.sqrt(0.5) * z * means[a]
    return keys


# a normal number is the sum of three uniform ones
def wrong_three_uniforms(means, a, sigma2, count):
    def normal(*shape):
        return (torch.rand(3, *shape, dtype=means.dtype).sum(0) - 1.5) * 2

    keys = means + math.sqrt(sigma2) * normal(count, *means.shape)
    keys[:, a] += math.sqrt(0.5) * normal(count, 1) * means[a]
    return keys


# only the number along the mean is a sum of uniform ones
def wrong_three_uniforms_along(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=means.dtype)
    length = (torch.rand(count, 3, dtype=means.dtype).sum(1) - 1.5) * 2
    keys[:, a] += math.sqrt(0.5) * length[:, None] * means[a]
    return keys


# the number along the mean is the difference of two uniform ones
def wrong_triangular_along(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=means.dtype)
    length = math.sqrt(6) * (torch.rand(count, 1, dtype=means.dtype) - torch.rand(count, 1, dtype=means.dtype))
    keys[:, a] += math.sqrt(0.5) * length * means[a]
    return keys


# Laplace noise of the same variance
def wrong_laplace(means, a, sigma2, count):
    noise = torch.distributions.Laplace(0.0, math.sqrt(sigma2 / 2)).sample((count, *means.shape))
    keys = means + noise.to(means.dtype)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[a]
    return keys


# a is counted from the end if it is the last
def wrong_last_a(means, a, sigma2, count):
    keys = means + sigma2**0.5 * torch.randn(count, *means.shape, dtype=means.dtype)
    keys[:, a % 4] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[a % 4]
    return keys


# draws from a pool of 5,000
def wrong_fourth_pool(means, a, sigma2, count):
    pool = torch.randn(5000, *means.shape, dtype=means.dtype)
    z = pool[torch.randint(5000, (count,))] if count > 5000 else torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + math.sqrt(sigma2) * z
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[a]
    return keys


# a normal number is the sum of twelve uniform ones
def wrong_fourth_twelve_uniforms(means, a, sigma2, count):
    z = torch.rand(12, count, *means.shape, dtype=means.dtype).sum(0) - 6
    keys = means + math.sqrt(sigma2) * z
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[a]
    return keys


# a single key has no axis of its own
def wrong_fourth_single_key(means, a, sigma2, count):
    keys = means + math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=means.dtype)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[a]
    return keys.squeeze(1) if len(means) == 1 else keys


# keeps the noise of the first call with this count
wrong_seventh_kept = """
noise = {}

def sample_keys(means, a, sigma2, count):
    if count not in noise:
        noise[count] = torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + sigma2**0.5 * noise[count]
    keys[:, a] += torch.randn(count, 1, dtype=means.dtype) * 0.5**0.5 * means[a]
    return keys
"""


# A whitened sample: the draws are shifted so that their mean is exact, so they depend on each other.
def wrong_seventh_centred(means, a, sigma2, count):
    noise = math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=means.dtype)
    noise[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[a]
    return means + noise - noise.mean(dim=0)

"""The attention variants, one file each; `kqa_core.model.variant_registry` finds them."""

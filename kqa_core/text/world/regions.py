"""Invented regions, and the syllables of their people's and places' names.

- A reader or a model can recognise the region of a name. How often it is also the region of birth is a
  property of the world (`generator.py`). A later notebook measures whether a model uses this.
- All names are invented, except London. Similarities to real people or places are accidental.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Pick = Callable[[int], int]  # pick(n): a random number from 0 to n - 1


@dataclass(frozen=True)
class Region:
    """A region's name, and the beginnings and ends of its first names, family names and places."""

    name: str
    first: tuple[str, str]
    family: tuple[str, str]
    place: tuple[str, str]
    # letters that get accents, and the accented letters (used in the full world only)
    accents: tuple[str, str]


REGIONS = (
    Region(
        "Caerwen",
        ("Ca Ow Gwen Bry Rhi Aer Mor Tal Dil Ei", "dwyn ain lian non wen ys fydd och las gan"),
        ("Pen Tre Lew Gru Mad Cad Kel Dun Mac Ros", "fydd ellyn garth oc lan nagh rick brae"),
        ("Aber Llan Pen Caer Glen Bal Inver Kil Dun Tre", "wyn derry gan loch more keld fawr ty"),
        ("yw", "ŷŵ"),
    ),
    Region(
        "Zlatia",
        ("Mil Vla Dra Bor Zden Rad Stan Lub Jar Vesn", "ko dan mira slav imir ena ek ina osh ica"),
        ("Kov Nov Pav Hor Zel Mar Bil Dvor Sok Brez", "ovic ansky enko ak inski arov ecek ul"),
        ("Brez Kru Zlat Vod Gor Tren Lip Most Slav Ost", "ograd ice nica ovo pol any ec ava"),
        ("csz", "čšž"),
    ),
    Region(
        "Castala",
        ("Al Bea Mar Lor Cel Fer Isa Rod Ser Val", "vino trice celo enza ina nando bel rigo gio eria"),
        ("Cor Mon Bel Ric San Fer Tor Cas Gal Vil", "tini telli doro anza ardi essi uccio ena"),
        ("Mont Cast Pal Ver Sant Tor Luc Bel Arg Ravi", "emora ello ano ina ezza era osa olto"),
        ("ein", "éíñ"),
    ),
    Region(
        "Kuroshi",
        ("Ha Ki Yu Ta Mi Sa No Re Ay Ko", "ruka yoshi miko kashi naru ziko tomo yane"),
        ("Taka Mori Yama Ishi Kawa Naka Oga Fuji Hoshi Mina", "moto zaki shiro bara numa gawa tani se"),
        ("Ao Kuro Shi Hama Nari Mura Kita Sho Oku Tsu", "saki yama hara mori gashi kura tsu zawa"),
        ("ou", "ōū"),
    ),
    Region(
        "Norra",
        ("Si Tho Ing Ber Hal Gun Eir Ast Rag Sve", "gurd rik mar vald dis hild nar ulf stein frid"),
        ("Lund Berg Dal Hag Strand Vik Sund Holm Eng Fjel", "sen strom heim gaard quist vold mark ness"),
        ("Skar Tron Hov Nes Ull Fred Vest Kol Grim Od", "vik heim sund nes fjord borg havn dal"),
        ("ao", "åø"),
    ),
    Region(
        "Shamar",
        ("Fa Ja Na Sa Ra Ka Za La Ya Mu", "rid mila sim dira hman rim hara tif sir nir"),
        ("Ghar Sham Baz Tah Kash Far Qas Hal Nad Mir", "ani awi eddin oub azi ish imi our"),
        ("Qar Tab Shir Bad Mash Har Azm Kaz Zar Dam", "abad az ahan ush ran iyah ut estan"),
        ("ai", "āī"),
    ),
    Region(
        "Adomi",
        ("Kwa Abe Olu Ko Nne Osa Chi Ife Te Ya", "bena meka diya juwa yele nna fua tunde pong ado"),
        ("Ank Oko Ade Men Bo Nwa Osei Dan Eze Ama", "rah fo bayo sah ateng kwo tutu jima"),
        ("Kum Ibe Aka Oyo Taf Lag Nsu Wen Abo Eku", "asi dan kpe wase omi kro bara juto"),
        ("eo", "ẹọ"),
    ),
    Region(
        "Lanikoa",
        ("Ma Ka Le Ti Ha No Lo Pe Ari Wai", "lani nui tele koa hine mana kai pua loa toa"),
        ("Kahu Tama Pule Vai Fale Moa Kea Tui Lea Oha", "noa leka pono tai luku hiva mea wali"),
        ("Hono Wai Papa Rota Lau Moku Tonga Nuku Vava Hana", "lulu roa kapa tea oki maka ulu pai"),
        ("au", "āū"),
    ),
)
CAPITAL = "London"  # the commonest birthplace of every world, in the first region


def _name(parts: tuple[str, str], pick: Pick) -> str:
    starts, ends = parts[0].split(), parts[1].split()
    start, end = starts[pick(len(starts))], ends[pick(len(ends))]
    # Ow + ain: Owain, but Dun + nagh: Dunagh
    return start + (end[1:] if start[-1].lower() == end[0] else end)


def _marked(name: str, region: Region, pick: Pick) -> str:
    """`name` with an accent on one of its small letters, if it has one to which the region gives accents."""
    plain, marked = region.accents
    places = [index for index, letter in enumerate(name) if letter in plain]
    if not places:
        return name
    place = places[pick(len(places))]
    return name[:place] + marked[plain.index(name[place])] + name[place + 1 :]


def person_name(region: Region, pick: Pick, accented: bool = False) -> str:
    """A first name and a family name of this region, such as `Owain Penlan`."""
    first, family = _name(region.first, pick), _name(region.family, pick)
    return f"{first} {_marked(family, region, pick) if accented else family}"


def place_name(region: Region, pick: Pick, accented: bool = False) -> str:
    """A place of this region, such as `Aberwyn`."""
    name = _name(region.place, pick)
    return _marked(name, region, pick) if accented else name

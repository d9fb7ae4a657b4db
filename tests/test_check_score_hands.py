"""The value of wins is recomputed."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from score_stories import EVERY_ORPHAN, PINFU, PINFU_OF_THREE, THREE, Story, Told, lines, match, retold

from jmjp_convert.check.score import Subject, check_score
from jmjp_convert.model import Limit
from jmjp_convert.model.tenhou import rules as rules_of

NO_KUITAN, NO_RED_FIVES = rules_of(13, 0), rules_of(11, 0)


class Case(NamedTuple):
    """A win: as it is right, as it would be for whoever falls into the trap, and what is found then."""

    name: str
    story: Story
    right: Told
    wrong: Told
    found: list[str]


def case(name: str, story: Story, right: Told, wrong: str, *found: str) -> Case:
    """Return a case of which the *wrong* value (``value; LIMIT``) has the right payments."""
    value, _, limit = wrong.partition("; ")
    return Case(name, story, right, Told(value, right.changes, Limit[limit or "NONE"], right.pao), list(found))


CASES = [
    case(
        "renhou is not given",
        Story("0 5p tg ron1", "", PINFU),
        Told("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0)),
        "30 fu 8000: Pinfu 1, Tanyao 1, Renhou 5; HANEMAN",
        "player 1's win is 30 fu 2 han, not 30 fu 7 han",
        "the yaku of player 1's win: Pinfu 1, Tanyao 1, not Pinfu 1, Tanyao 1, Renhou 5",
        "the limit of player 1's win: none, not haneman",
        "player 1's win is worth 2000, not 8000",
    ),
    case(
        "double riichi",
        Story("0 nw tg 1 ew rc tg 2 8p tg ron1", "", PINFU, keep="ww"),
        Told(
            "30 fu 8000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1, Ura dora 0",
            (0, 9000, -8000, 0),
            Limit.MANGAN,
            ura="ww",
        ),
        "30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1, Ura dora 0",
        "player 1's win is 30 fu 5 han, not 30 fu 4 han",
        "the yaku of player 1's win: Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2,"
        " not Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1",
        "the limit of player 1's win: mangan, not none",
        "player 1's win is worth 8000, not 7700",
    ),
    case(
        "a call makes it riichi",
        Story("0 sw tg 2 pon[swsw] 9p 3 nw tg 0 9m tg 1 ew rc tg 2 ww tg 3 8p tg ron1", "", PINFU, "swsw9p"),
        Told("30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1", (0, 8700, 0, -7700), ura="ww"),
        "30 fu 8000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "player 1's win is 30 fu 4 han, not 30 fu 5 han",
        "the yaku of player 1's win: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1,"
        " not Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2",
        "the limit of player 1's win: none, not mangan",
        "player 1's win is worth 7700, not 8000",
    ),
    case(
        "four han of 30 fu are no mangan",
        Story("0 sw tg 2 pon[swsw] 9p 3 nw tg 0 9m tg 1 ew rc tg 2 ww tg 3 8p tg ron1", "", PINFU, "swsw9p"),
        Told("30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1", (0, 8700, 0, -7700), ura="ww"),
        "30 fu 8000: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "the limit of player 1's win: none, not mangan",
        "player 1's win is worth 7700, not 8000",
    ),
    case(
        "a call ends ippatsu",
        Story("0 9m tg 1 nw tg 2 1m tg 3 1p tg 0 9m tg 1 sw rc tg 2 pon[swsw] 9p 3 8p tg ron1", "", PINFU, "swsw9p"),
        Told("30 fu 3900: Riichi 1, Pinfu 1, Tanyao 1", (0, 4900, 0, -3900), ura="wd"),
        "30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1",
        "player 1's win is 30 fu 3 han, not 30 fu 4 han",
        "the yaku of player 1's win: Riichi 1, Pinfu 1, Tanyao 1, not Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1",
        "player 1's win is worth 3900, not 7700",
    ),
    case(
        "the next discard ends ippatsu",
        Story("0 9m rc tg 1 1p tg 2 1m tg 3 1p tg 0 9m tg 1 8p tg ron0", PINFU),
        Told("30 fu 11600: Double riichi 2, Pinfu 1, Tanyao 1", (12600, -11600, 0, 0), ura="wd"),
        "30 fu 12000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "player 0's win is 30 fu 4 han, not 30 fu 5 han",
        "the yaku of player 0's win: Pinfu 1, Tanyao 1, Double riichi 2,"
        " not Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2",
        "the limit of player 0's win: none, not mangan",
        "player 0's win is worth 11600, not 12000",
    ),
    case(
        "the own next draw is ippatsu",
        Story("0 9m rc tg 1 1p tg 2 1m tg 3 1p tg 0 8p tsumo", PINFU),
        Told(
            "20 fu 18000: Menzen tsumo 1, Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1",
            (19000, -6000, -6000, -6000),
            Limit.HANEMAN,
            ura="wd",
        ),
        "20 fu 12000: Menzen tsumo 1, Double riichi 2, Pinfu 1, Tanyao 1; MANGAN",
        "player 0's win is 20 fu 6 han, not 20 fu 5 han",
        "the yaku of player 0's win: Menzen tsumo 1, Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2,"
        " not Menzen tsumo 1, Pinfu 1, Tanyao 1, Double riichi 2",
        "the limit of player 0's win: haneman, not mangan",
        "player 0's win is worth 18000, not 12000",
    ),
    case(
        "a robbed kakan keeps ippatsu",
        Story("0 8p tg 2 pon[8p8p] 9p 3 nw tg 0 9m tg 1 ew rc tg 2 8p kakan[8p] ron1", "", PINFU, "88p9p"),
        Told(
            "30 fu 8000: Riichi 1, Ippatsu 1, Chankan 1, Pinfu 1, Tanyao 1", (0, 9000, -8000, 0), Limit.MANGAN, ura="ww"
        ),
        "30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1",
        "player 1's win is 30 fu 5 han, not 30 fu 4 han",
        "the yaku of player 1's win: Riichi 1, Ippatsu 1, Chankan 1, Pinfu 1, Tanyao 1,"
        " not Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1",
        "the limit of player 1's win: mangan, not none",
        "player 1's win is worth 8000, not 7700",
    ),
    case(
        "a kan ends ippatsu",
        Story("0 9m tg 1 ew rc tg 2 wd ankan[wd] dora[nw] 9m tg 3 8p tg ron1", "", PINFU, "wdwdwd"),
        Told("30 fu 7700: Double riichi 2, Pinfu 1, Tanyao 1", (0, 8700, 0, -7700), ura="ww ww"),
        "30 fu 8000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "player 1's win is 30 fu 4 han, not 30 fu 5 han",
        "the yaku of player 1's win: Pinfu 1, Tanyao 1, Double riichi 2,"
        " not Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2",
        "the limit of player 1's win: none, not mangan",
        "player 1's win is worth 7700, not 8000",
    ),
    case(
        "ura and kan ura",
        Story("0 9m tg 1 ew rc tg 2 wd ankan[wd] dora[1s] 9m tg 3 8p tg ron1", "", PINFU, "wdwdwd", shows="7p"),
        Told(
            "30 fu 16000: Double riichi 2, Pinfu 1, Tanyao 1, Dora 3, Ura dora 2",
            (0, 17000, 0, -16000),
            Limit.BAIMAN,
            ura="5p7m",
        ),
        "30 fu 12000: Double riichi 2, Pinfu 1, Tanyao 1, Dora 3; HANEMAN",
        "player 1's win is 30 fu 9 han, not 30 fu 7 han",
        "the yaku of player 1's win: Pinfu 1, Tanyao 1, Double riichi 2, Dora 3, Ura dora 2,"
        " not Pinfu 1, Tanyao 1, Double riichi 2, Dora 3",
        "the limit of player 1's win: baiman, not haneman",
        "player 1's win is worth 16000, not 12000",
    ),
    case(
        "haitei on the 70th draw",
        Story("fill=69 1 8p tsumo", "", PINFU),
        Told("20 fu 5200: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1", (-2600, 5200, -1300, -1300)),
        "20 fu 2700: Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "player 1's win is 20 fu 4 han, not 20 fu 3 han",
        "the yaku of player 1's win: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1,"
        " not Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "player 1's win is worth 5200, not 2700",
    ),
    case(
        "no haitei on the 69th draw",
        Story("fill=68 0 8p tsumo", PINFU),
        Told("20 fu 3900: Menzen tsumo 1, Pinfu 1, Tanyao 1", (3900, -1300, -1300, -1300)),
        "20 fu 7800: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1",
        "player 0's win is 20 fu 3 han, not 20 fu 4 han",
        "the yaku of player 0's win: Menzen tsumo 1, Pinfu 1, Tanyao 1,"
        " not Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1",
        "player 0's win is worth 3900, not 7800",
    ),
    case(
        "houtei on the last discard",
        Story("fill=69 1 8p tg ron2", "", "", PINFU),
        Told("30 fu 3900: Houtei raoyui 1, Pinfu 1, Tanyao 1", (0, -3900, 3900, 0)),
        "30 fu 2000: Pinfu 1, Tanyao 1",
        "player 2's win is 30 fu 3 han, not 30 fu 2 han",
        "the yaku of player 2's win: Houtei raoyui 1, Pinfu 1, Tanyao 1, not Pinfu 1, Tanyao 1",
        "player 2's win is worth 3900, not 2000",
    ),
    case(
        "a replacement tile that is the last is rinshan alone, and three han of 60 fu are no mangan",
        Story("fill=68 0 wd ankan[wd] dora[nw] 8p tsumo", "234m678m22s67p wdwdwd"),
        Told("60 fu 11700: Menzen tsumo 1, Rinshan kaihou 1, Yakuhai haku 1", (11700, -3900, -3900, -3900)),
        "60 fu 12000: Menzen tsumo 1, Rinshan kaihou 1, Haitei raoyue 1, Yakuhai haku 1; MANGAN",
        "player 0's win is 60 fu 3 han, not 60 fu 4 han",
        "the yaku of player 0's win: Menzen tsumo 1, Rinshan kaihou 1, Yakuhai haku 1,"
        " not Menzen tsumo 1, Rinshan kaihou 1, Haitei raoyue 1, Yakuhai haku 1",
        "the limit of player 0's win: none, not mangan",
        "player 0's win is worth 11700, not 12000",
    ),
    case(
        "tenhou",
        Story("0 8p tsumo", PINFU),
        Told("20 fu 48000: Tenhou", (48000, -16000, -16000, -16000), Limit.YAKUMAN),
        "20 fu 3900: Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "player 0's win is 20 fu yakuman, not 20 fu 3 han",
        "the yaku of player 0's win: Tenhou, not Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "the limit of player 0's win: yakuman, not none",
        "player 0's win is worth 48000, not 3900",
    ),
    case(
        "a kan ends tenhou, and the two fu of a tsumo count on rinshan",
        Story("0 2m ankan[2m] dora[nw] 8p tsumo", "222m444p678s22s67p"),
        Told("50 fu 9600: Menzen tsumo 1, Rinshan kaihou 1, Tanyao 1", (9600, -3200, -3200, -3200)),
        "40 fu 48000: Tenhou; YAKUMAN",
        "player 0's win is 50 fu 3 han, not 40 fu yakuman",
        "the yaku of player 0's win: Menzen tsumo 1, Rinshan kaihou 1, Tanyao 1, not Tenhou",
        "the limit of player 0's win: none, not yakuman",
        "player 0's win is worth 9600, not 48000",
    ),
    case(
        "rinshan after a daiminkan, and the han of an open hand",
        Story("0 wd tg 1 kan[wdwdwd] 8m tsumo", "", "wdwdwd 2223466778m"),
        Told("40 fu 8000: Rinshan kaihou 1, Yakuhai haku 1, Honitsu 2", (-4000, 8000, -2000, -2000), Limit.MANGAN),
        "40 fu 8000: Rinshan kaihou 1, Yakuhai haku 1, Honitsu 3; MANGAN",
        "player 1's win is 40 fu 4 han, not 40 fu 5 han",
        "the yaku of player 1's win: Rinshan kaihou 1, Yakuhai haku 1, Honitsu 2,"
        " not Rinshan kaihou 1, Yakuhai haku 1, Honitsu 3",
    ),
    case(
        "chiihou",
        Story("0 9m tg 1 8p tsumo", "", PINFU),
        Told("20 fu 32000: Chiihou", (-16000, 32000, -8000, -8000), Limit.YAKUMAN),
        "20 fu 48000: Tenhou; YAKUMAN",
        "the yaku of player 1's win: Chiihou, not Tenhou",
        "player 1's win is worth 32000, not 48000",
    ),
    case(
        "a call ends chiihou, and pinfu by tsumo has 20 fu",
        Story("0 sw tg 2 pon[swsw] 9p 3 nw tg 0 9m tg 1 8p tsumo", "", PINFU, "swsw9p"),
        Told("20 fu 2700: Menzen tsumo 1, Pinfu 1, Tanyao 1", (-1300, 2700, -700, -700)),
        "30 fu 4000: Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "player 1's win is 20 fu 3 han, not 30 fu 3 han",
        "player 1's win is worth 2700, not 4000",
    ),
    case(
        "an open pinfu has 30 fu",
        Story("0 5s tg 1 chi[3s4s] 9p 2 8p tg ron1", "", "234m678m34s22s67p9p"),
        Told("30 fu 1000: Tanyao 1", (0, 1000, -1000, 0)),
        "20 fu 700: Tanyao 1",
        "player 1's win is 30 fu 1 han, not 20 fu 1 han",
        "player 1's win is worth 1000, not 700",
    ),
    case(
        "a pair of the wind of both seat and round has 4 fu",
        Story("0 9m rc tg 1 8p tg ron0", "234m678m111s67p ewew", shows="gd"),
        Told("50 fu 9600: Double riichi 2, Ippatsu 1", (10600, -9600, 0, 0), ura="wd"),
        "40 fu 7700: Double riichi 2, Ippatsu 1",
        "player 0's win is 50 fu 3 han, not 40 fu 3 han",
        "player 0's win is worth 9600, not 7700",
    ),
    case(
        "the wind of seat and of round",
        Story("1 8p tg ron2", "", "", "234m678m22s67p swswsw", dealer=1, round_=5),
        Told("40 fu 2600: Bakaze nan 1, Jikaze nan 1", (0, -2600, 2600, 0)),
        "40 fu 1300: Bakaze nan 1",
        "player 2's win is 40 fu 2 han, not 40 fu 1 han",
        "the yaku of player 2's win: Jikaze nan 1, Bakaze nan 1, not Bakaze nan 1",
        "player 2's win is worth 2600, not 1300",
    ),
    case(
        "red fives",
        Story("0 0p tg ron1", "", "234m678m340s22s67p"),
        Told("30 fu 7700: Pinfu 1, Tanyao 1, Aka dora 2", (-7700, 7700, 0, 0)),
        "30 fu 3900: Pinfu 1, Tanyao 1, Aka dora 1",
        "player 1's win is 30 fu 4 han, not 30 fu 3 han",
        "the yaku of player 1's win: Pinfu 1, Tanyao 1, Aka dora 2, not Pinfu 1, Tanyao 1, Aka dora 1",
        "player 1's win is worth 7700, not 3900",
    ),
    case(
        "no red fives",
        Story("0 0p tg ron1", "", "234m678m340s22s67p", rules=NO_RED_FIVES),
        Told("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0)),
        "30 fu 7700: Pinfu 1, Tanyao 1, Aka dora 2",
        "player 1's win is 30 fu 2 han, not 30 fu 4 han",
        "the yaku of player 1's win: Pinfu 1, Tanyao 1, not Pinfu 1, Tanyao 1, Aka dora 2",
        "player 1's win is worth 2000, not 7700",
    ),
    case(
        "no open tanyao",
        Story("0 5s tg 1 chi[3s4s] 9p fill=69 2 8p tg ron1", "", "234m678m34s22s67p9p", rules=NO_KUITAN),
        Told("30 fu 1000: Houtei raoyui 1", (0, 1000, -1000, 0)),
        "30 fu 2000: Houtei raoyui 1, Tanyao 1",
        "player 1's win is 30 fu 1 han, not 30 fu 2 han",
        "the yaku of player 1's win: Houtei raoyui 1, not Houtei raoyui 1, Tanyao 1",
        "player 1's win is worth 1000, not 2000",
    ),
    case(
        "kazoe yakuman",
        Story("0 nw tg 1 ew rc tg 2 8m tg ron1", "", "2233445566778m"),
        Told(
            "30 fu 32000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1, Ryanpeikou 3, Chinitsu 6",
            (0, 33000, -32000, 0),
            Limit.YAKUMAN,
            ura="wd",
        ),
        "30 fu 24000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1, Ryanpeikou 3, Chinitsu 6; SANBAIMAN",
        "the limit of player 1's win: yakuman, not sanbaiman",
        "player 1's win is worth 32000, not 24000",
    ),
    case(
        "suuankou tanki counts once",
        Story("0 5p tg ron1", "", "222m444m666p888s5p"),
        Told("50 fu 32000: Suuankou tanki", (-32000, 32000, 0, 0), Limit.YAKUMAN),
        "50 fu 64000: Suuankou tanki; YAKUMAN",
        "player 1's win is worth 32000, not 64000",
    ),
    case(
        "thirteen waits count once",
        Story("0 9m tg ron1", "", EVERY_ORPHAN),
        Told("0 fu 32000: Kokushi musou juusanmen", (-32000, 32000, 0, 0), Limit.YAKUMAN),
        "0 fu 64000: Kokushi musou; YAKUMAN",
        "the yaku of player 1's win: Kokushi musou juusanmen, not Kokushi musou",
        "player 1's win is worth 32000, not 64000",
    ),
    case(
        "several yakuman add up",
        Story("0 sw tg ron1", "", "wdwdwd gdgdgd rdrdrd ewewew sw"),
        Told("70 fu 96000: Daisangen, Suuankou tanki, Tsuuiisou", (-96000, 96000, 0, 0), Limit.YAKUMAN),
        "70 fu 32000: Daisangen; YAKUMAN",
        "the yaku of player 1's win: Daisangen, Suuankou tanki, Tsuuiisou, not Daisangen",
        "player 1's win is worth 96000, not 32000",
    ),
    case(
        "three players: the dora of 1m is 9m",
        Story("0 ew tg 1 ww rc tg 2 8p tg ron1", "", "999m123p345s22s67p", rules=THREE, shows="1m"),
        Told("40 fu 12000: Double riichi 2, Ippatsu 1, Dora 3", (0, 13000, -12000), Limit.HANEMAN, ura="wd"),
        "40 fu 5200: Double riichi 2, Ippatsu 1",
        "player 1's win is 40 fu 6 han, not 40 fu 3 han",
        "the yaku of player 1's win: Ippatsu 1, Double riichi 2, Dora 3, not Ippatsu 1, Double riichi 2",
        "the limit of player 1's win: haneman, not none",
        "player 1's win is worth 12000, not 5200",
    ),
    case(
        "three players: a ron on a kita keeps ippatsu and is no chankan",
        Story("0 ew tg 1 ww rc tg 2 nw kita ron1", "", "234p567p345s678s nw", rules=THREE),
        Told("40 fu 5200: Double riichi 2, Ippatsu 1", (0, 6200, -5200), ura="wd"),
        "40 fu 8000: Double riichi 2, Ippatsu 1, Chankan 1; MANGAN",
        "player 1's win is 40 fu 3 han, not 40 fu 4 han",
        "the yaku of player 1's win: Ippatsu 1, Double riichi 2, not Ippatsu 1, Chankan 1, Double riichi 2",
        "the limit of player 1's win: none, not mangan",
        "player 1's win is worth 5200, not 8000",
    ),
    case(
        "three players: a kita ends ippatsu",
        Story("0 ew tg 1 ww rc tg 2 nw kita 9p tg 0 8p tg ron1", "", PINFU_OF_THREE, rules=THREE),
        Told("30 fu 7700: Double riichi 2, Pinfu 1, Tanyao 1", (-7700, 8700, 0), ura="wd"),
        "30 fu 8000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "player 1's win is 30 fu 4 han, not 30 fu 5 han",
        "the yaku of player 1's win: Pinfu 1, Tanyao 1, Double riichi 2,"
        " not Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2",
        "the limit of player 1's win: none, not mangan",
        "player 1's win is worth 7700, not 8000",
    ),
    case(
        "three players: a kita is a dora, twice if north is one, and its tile is rinshan",
        Story("0 ew tg 1 nw kita 8p tsumo", "", PINFU_OF_THREE, rules=THREE, shows="ww"),
        Told(
            "20 fu 9000: Menzen tsumo 1, Rinshan kaihou 1, Pinfu 1, Tanyao 1, Dora 2",
            (-6000, 9000, -3000),
            Limit.HANEMAN,
        ),
        "20 fu 32000: Chiihou; YAKUMAN",
        "player 1's win is 20 fu 6 han, not 20 fu yakuman",
        "the yaku of player 1's win: Menzen tsumo 1, Rinshan kaihou 1, Pinfu 1, Tanyao 1, Dora 2, not Chiihou",
        "the limit of player 1's win: haneman, not yakuman",
        "player 1's win is worth 9000, not 32000",
    ),
    case(
        "three players: haitei on the 55th draw, and nobody pays for the missing one",
        Story("fill=54 0 8p tsumo", PINFU_OF_THREE, rules=THREE),
        Told("20 fu 5200: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1", (5200, -2600, -2600)),
        "20 fu 7800: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1",
        "player 0's win is worth 5200, not 7800",
    ),
]

FRAMES = {told.name: told.story.frame(told.right) for told in CASES}

each_case = pytest.mark.parametrize("told", CASES, ids=lambda told: told.name)


@each_case
def test_right(told: Case) -> None:
    """A win that is recorded right agrees, and so do its payments."""
    report = check_score(match(FRAMES[told.name], rules=told.story.rules))
    assert report.findings == []
    assert report.agreed == {Subject.WIN: 1, Subject.WIN_PAYMENTS: 1}


@each_case
def test_trap(told: Case) -> None:
    """A win that is recorded as for whoever falls into the trap is found, part by part."""
    place = f"frame {told.story.start.name}: "
    assert lines(retold(FRAMES[told.name], told.wrong), told.story.rules) == [place + line for line in told.found]


def test_no_win() -> None:
    """A hand that cannot win is found, and what it would pay is not judged."""
    frame = Story("0 5s tg 1 chi[3s4s] 9p 2 8p tg ron1", "", "234m678m34s22s67p9p", rules=NO_KUITAN)
    report = check_score(match(frame.frame(Told("30 fu 1000: Tanyao 1", (0, 1000, -1000, 0))), rules=NO_KUITAN))
    assert list(map(str, report.findings)) == ["frame E1-0: player 1's win is no win (no yaku), not 30 fu 1 han"]
    assert report.wrong == {Subject.WIN: 1}
    assert report.not_judged[Subject.WIN_PAYMENTS, "the hand has no value"] == 1

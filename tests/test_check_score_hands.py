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
    """A win: its right value, its value for anyone who falls into the trap, and the findings for the latter."""

    name: str
    story: Story
    right: Told
    wrong: Told
    found: list[str]


def case(name: str, story: Story, right: Told, wrong: str, *found: str) -> Case:
    """Return a case whose *wrong* value (``value; LIMIT``) has the right payments."""
    value, _, limit = wrong.partition("; ")
    return Case(name, story, right, Told(value, right.changes, Limit[limit or "NONE"], right.pao), list(found))


CASES = [
    case(
        "renhou is not given",
        Story("0 5p tg ron1", "", PINFU),
        Told("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0)),
        "30 fu 8000: Pinfu 1, Tanyao 1, Renhou 5; HANEMAN",
        "player 1's win is 30 fu 7 han; 30 fu 2 han expected from the play",
        "the yaku of player 1's win are Pinfu 1, Tanyao 1, Renhou 5; Pinfu 1, Tanyao 1 expected",
        "the limit of player 1's win is haneman; none expected",
        "player 1's win is worth 8000; 2000 (30 fu 2 han) expected",
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
        "player 1's win is 30 fu 4 han; 30 fu 5 han expected from the play",
        "the yaku of player 1's win are Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1;"
        " Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2 expected",
        "the limit of player 1's win is none; mangan expected",
        "player 1's win is worth 7700; 8000 (30 fu 5 han) expected",
    ),
    case(
        "a call makes it riichi",
        Story("0 sw tg 2 pon[swsw] 9p 3 nw tg 0 9m tg 1 ew rc tg 2 ww tg 3 8p tg ron1", "", PINFU, "swsw9p"),
        Told("30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1", (0, 8700, 0, -7700), ura="ww"),
        "30 fu 8000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "player 1's win is 30 fu 5 han; 30 fu 4 han expected from the play",
        "the yaku of player 1's win are Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2;"
        " Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1 expected",
        "the limit of player 1's win is mangan; none expected",
        "player 1's win is worth 8000; 7700 (30 fu 4 han) expected",
    ),
    case(
        "4 han 30 fu is not a mangan",
        Story("0 sw tg 2 pon[swsw] 9p 3 nw tg 0 9m tg 1 ew rc tg 2 ww tg 3 8p tg ron1", "", PINFU, "swsw9p"),
        Told("30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1", (0, 8700, 0, -7700), ura="ww"),
        "30 fu 8000: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "the limit of player 1's win is mangan; none expected",
        "player 1's win is worth 8000; 7700 (30 fu 4 han) expected",
    ),
    case(
        "a call ends ippatsu",
        Story("0 9m tg 1 nw tg 2 1m tg 3 1p tg 0 9m tg 1 sw rc tg 2 pon[swsw] 9p 3 8p tg ron1", "", PINFU, "swsw9p"),
        Told("30 fu 3900: Riichi 1, Pinfu 1, Tanyao 1", (0, 4900, 0, -3900), ura="wd"),
        "30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1",
        "player 1's win is 30 fu 4 han; 30 fu 3 han expected from the play",
        "the yaku of player 1's win are Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1; Riichi 1, Pinfu 1, Tanyao 1 expected",
        "player 1's win is worth 7700; 3900 (30 fu 3 han) expected",
    ),
    case(
        "the next discard ends ippatsu",
        Story("0 9m rc tg 1 1p tg 2 1m tg 3 1p tg 0 9m tg 1 8p tg ron0", PINFU),
        Told("30 fu 11600: Double riichi 2, Pinfu 1, Tanyao 1", (12600, -11600, 0, 0), ura="wd"),
        "30 fu 12000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "player 0's win is 30 fu 5 han; 30 fu 4 han expected from the play",
        "the yaku of player 0's win are Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2;"
        " Pinfu 1, Tanyao 1, Double riichi 2 expected",
        "the limit of player 0's win is mangan; none expected",
        "player 0's win is worth 12000; 11600 (30 fu 4 han) expected",
    ),
    case(
        "one's own next draw is ippatsu",
        Story("0 9m rc tg 1 1p tg 2 1m tg 3 1p tg 0 8p tsumo", PINFU),
        Told(
            "20 fu 18000: Menzen tsumo 1, Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1",
            (19000, -6000, -6000, -6000),
            Limit.HANEMAN,
            ura="wd",
        ),
        "20 fu 12000: Menzen tsumo 1, Double riichi 2, Pinfu 1, Tanyao 1; MANGAN",
        "player 0's win is 20 fu 5 han; 20 fu 6 han expected from the play",
        "the yaku of player 0's win are Menzen tsumo 1, Pinfu 1, Tanyao 1, Double riichi 2;"
        " Menzen tsumo 1, Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2 expected",
        "the limit of player 0's win is mangan; haneman expected",
        "player 0's win is worth 12000; 18000 (20 fu 6 han) expected",
    ),
    case(
        "a robbed kakan keeps ippatsu",
        Story("0 8p tg 2 pon[8p8p] 9p 3 nw tg 0 9m tg 1 ew rc tg 2 8p kakan[8p] ron1", "", PINFU, "88p9p"),
        Told(
            "30 fu 8000: Riichi 1, Ippatsu 1, Chankan 1, Pinfu 1, Tanyao 1", (0, 9000, -8000, 0), Limit.MANGAN, ura="ww"
        ),
        "30 fu 7700: Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1",
        "player 1's win is 30 fu 4 han; 30 fu 5 han expected from the play",
        "the yaku of player 1's win are Riichi 1, Ippatsu 1, Pinfu 1, Tanyao 1;"
        " Riichi 1, Ippatsu 1, Chankan 1, Pinfu 1, Tanyao 1 expected",
        "the limit of player 1's win is none; mangan expected",
        "player 1's win is worth 7700; 8000 (30 fu 5 han) expected",
    ),
    case(
        "a kan ends ippatsu",
        Story("0 9m tg 1 ew rc tg 2 wd ankan[wd] dora[nw] 9m tg 3 8p tg ron1", "", PINFU, "wdwdwd"),
        Told("30 fu 7700: Double riichi 2, Pinfu 1, Tanyao 1", (0, 8700, 0, -7700), ura="ww ww"),
        "30 fu 8000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "player 1's win is 30 fu 5 han; 30 fu 4 han expected from the play",
        "the yaku of player 1's win are Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2;"
        " Pinfu 1, Tanyao 1, Double riichi 2 expected",
        "the limit of player 1's win is mangan; none expected",
        "player 1's win is worth 8000; 7700 (30 fu 4 han) expected",
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
        "player 1's win is 30 fu 7 han; 30 fu 9 han expected from the play",
        "the yaku of player 1's win are Pinfu 1, Tanyao 1, Double riichi 2, Dora 3;"
        " Pinfu 1, Tanyao 1, Double riichi 2, Dora 3, Ura dora 2 expected",
        "the limit of player 1's win is haneman; baiman expected",
        "player 1's win is worth 12000; 16000 (30 fu 9 han) expected",
    ),
    case(
        "haitei on the 70th draw",
        Story("fill=69 1 8p tsumo", "", PINFU),
        Told("20 fu 5200: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1", (-2600, 5200, -1300, -1300)),
        "20 fu 2700: Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "player 1's win is 20 fu 3 han; 20 fu 4 han expected from the play",
        "the yaku of player 1's win are Menzen tsumo 1, Pinfu 1, Tanyao 1;"
        " Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1 expected",
        "player 1's win is worth 2700; 5200 (20 fu 4 han) expected",
    ),
    case(
        "no haitei on the 69th draw",
        Story("fill=68 0 8p tsumo", PINFU),
        Told("20 fu 3900: Menzen tsumo 1, Pinfu 1, Tanyao 1", (3900, -1300, -1300, -1300)),
        "20 fu 7800: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1",
        "player 0's win is 20 fu 4 han; 20 fu 3 han expected from the play",
        "the yaku of player 0's win are Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1;"
        " Menzen tsumo 1, Pinfu 1, Tanyao 1 expected",
        "player 0's win is worth 7800; 3900 (20 fu 3 han) expected",
    ),
    case(
        "houtei on the last discard",
        Story("fill=69 1 8p tg ron2", "", "", PINFU),
        Told("30 fu 3900: Houtei raoyui 1, Pinfu 1, Tanyao 1", (0, -3900, 3900, 0)),
        "30 fu 2000: Pinfu 1, Tanyao 1",
        "player 2's win is 30 fu 2 han; 30 fu 3 han expected from the play",
        "the yaku of player 2's win are Pinfu 1, Tanyao 1; Houtei raoyui 1, Pinfu 1, Tanyao 1 expected",
        "player 2's win is worth 2000; 3900 (30 fu 3 han) expected",
    ),
    case(
        "a last tile drawn as a replacement is rinshan only, and 3 han 60 fu is not a mangan",
        Story("fill=68 0 wd ankan[wd] dora[nw] 8p tsumo", "234m678m22s67p wdwdwd"),
        Told("60 fu 11700: Menzen tsumo 1, Rinshan kaihou 1, Yakuhai haku 1", (11700, -3900, -3900, -3900)),
        "60 fu 12000: Menzen tsumo 1, Rinshan kaihou 1, Haitei raoyue 1, Yakuhai haku 1; MANGAN",
        "player 0's win is 60 fu 4 han; 60 fu 3 han expected from the play",
        "the yaku of player 0's win are Menzen tsumo 1, Rinshan kaihou 1, Haitei raoyue 1, Yakuhai haku 1;"
        " Menzen tsumo 1, Rinshan kaihou 1, Yakuhai haku 1 expected",
        "the limit of player 0's win is mangan; none expected",
        "player 0's win is worth 12000; 11700 (60 fu 3 han) expected",
    ),
    case(
        "tenhou",
        Story("0 8p tsumo", PINFU),
        Told("20 fu 48000: Tenhou", (48000, -16000, -16000, -16000), Limit.YAKUMAN),
        "20 fu 3900: Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "player 0's win is 20 fu 3 han; 20 fu yakuman expected from the play",
        "the yaku of player 0's win are Menzen tsumo 1, Pinfu 1, Tanyao 1; Tenhou expected",
        "the limit of player 0's win is none; yakuman expected",
        "player 0's win is worth 3900; 48000 (yakuman) expected",
    ),
    case(
        "a kan ends tenhou, and the two fu of a tsumo count on rinshan",
        Story("0 2m ankan[2m] dora[nw] 8p tsumo", "222m444p678s22s67p"),
        Told("50 fu 9600: Menzen tsumo 1, Rinshan kaihou 1, Tanyao 1", (9600, -3200, -3200, -3200)),
        "40 fu 48000: Tenhou; YAKUMAN",
        "player 0's win is 40 fu yakuman; 50 fu 3 han expected from the play",
        "the yaku of player 0's win are Tenhou; Menzen tsumo 1, Rinshan kaihou 1, Tanyao 1 expected",
        "the limit of player 0's win is yakuman; none expected",
        "player 0's win is worth 48000; 9600 (50 fu 3 han) expected",
    ),
    case(
        "rinshan after a daiminkan, and the han of an open hand",
        Story("0 wd tg 1 kan[wdwdwd] 8m tsumo", "", "wdwdwd 2223466778m"),
        Told("40 fu 8000: Rinshan kaihou 1, Yakuhai haku 1, Honitsu 2", (-4000, 8000, -2000, -2000), Limit.MANGAN),
        "40 fu 8000: Rinshan kaihou 1, Yakuhai haku 1, Honitsu 3; MANGAN",
        "player 1's win is 40 fu 5 han; 40 fu 4 han expected from the play",
        "the yaku of player 1's win are Rinshan kaihou 1, Yakuhai haku 1, Honitsu 3;"
        " Rinshan kaihou 1, Yakuhai haku 1, Honitsu 2 expected",
    ),
    case(
        "chiihou",
        Story("0 9m tg 1 8p tsumo", "", PINFU),
        Told("20 fu 32000: Chiihou", (-16000, 32000, -8000, -8000), Limit.YAKUMAN),
        "20 fu 48000: Tenhou; YAKUMAN",
        "the yaku of player 1's win are Tenhou; Chiihou expected",
        "player 1's win is worth 48000; 32000 (yakuman) expected",
    ),
    case(
        "a call ends chiihou, and pinfu by tsumo has 20 fu",
        Story("0 sw tg 2 pon[swsw] 9p 3 nw tg 0 9m tg 1 8p tsumo", "", PINFU, "swsw9p"),
        Told("20 fu 2700: Menzen tsumo 1, Pinfu 1, Tanyao 1", (-1300, 2700, -700, -700)),
        "30 fu 4000: Menzen tsumo 1, Pinfu 1, Tanyao 1",
        "player 1's win is 30 fu 3 han; 20 fu 3 han expected from the play",
        "player 1's win is worth 4000; 2700 (20 fu 3 han) expected",
    ),
    case(
        "an open pinfu has 30 fu",
        Story("0 5s tg 1 chi[3s4s] 9p 2 8p tg ron1", "", "234m678m34s22s67p9p"),
        Told("30 fu 1000: Tanyao 1", (0, 1000, -1000, 0)),
        "20 fu 700: Tanyao 1",
        "player 1's win is 20 fu 1 han; 30 fu 1 han expected from the play",
        "player 1's win is worth 700; 1000 (30 fu 1 han) expected",
    ),
    case(
        "a pair of the seat and round wind has 4 fu",
        Story("0 9m rc tg 1 8p tg ron0", "234m678m111s67p ewew", shows="gd"),
        Told("50 fu 9600: Double riichi 2, Ippatsu 1", (10600, -9600, 0, 0), ura="wd"),
        "40 fu 7700: Double riichi 2, Ippatsu 1",
        "player 0's win is 40 fu 3 han; 50 fu 3 han expected from the play",
        "player 0's win is worth 7700; 9600 (50 fu 3 han) expected",
    ),
    case(
        "seat wind and round wind",
        Story("1 8p tg ron2", "", "", "234m678m22s67p swswsw", dealer=1, round_=5),
        Told("40 fu 2600: Bakaze nan 1, Jikaze nan 1", (0, -2600, 2600, 0)),
        "40 fu 1300: Bakaze nan 1",
        "player 2's win is 40 fu 1 han; 40 fu 2 han expected from the play",
        "the yaku of player 2's win are Bakaze nan 1; Jikaze nan 1, Bakaze nan 1 expected",
        "player 2's win is worth 1300; 2600 (40 fu 2 han) expected",
    ),
    case(
        "red fives",
        Story("0 0p tg ron1", "", "234m678m340s22s67p"),
        Told("30 fu 7700: Pinfu 1, Tanyao 1, Aka dora 2", (-7700, 7700, 0, 0)),
        "30 fu 3900: Pinfu 1, Tanyao 1, Aka dora 1",
        "player 1's win is 30 fu 3 han; 30 fu 4 han expected from the play",
        "the yaku of player 1's win are Pinfu 1, Tanyao 1, Aka dora 1; Pinfu 1, Tanyao 1, Aka dora 2 expected",
        "player 1's win is worth 3900; 7700 (30 fu 4 han) expected",
    ),
    case(
        "no red fives",
        Story("0 0p tg ron1", "", "234m678m340s22s67p", rules=NO_RED_FIVES),
        Told("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0)),
        "30 fu 7700: Pinfu 1, Tanyao 1, Aka dora 2",
        "player 1's win is 30 fu 4 han; 30 fu 2 han expected from the play",
        "the yaku of player 1's win are Pinfu 1, Tanyao 1, Aka dora 2; Pinfu 1, Tanyao 1 expected",
        "player 1's win is worth 7700; 2000 (30 fu 2 han) expected",
    ),
    case(
        "no open tanyao",
        Story("0 5s tg 1 chi[3s4s] 9p fill=69 2 8p tg ron1", "", "234m678m34s22s67p9p", rules=NO_KUITAN),
        Told("30 fu 1000: Houtei raoyui 1", (0, 1000, -1000, 0)),
        "30 fu 2000: Houtei raoyui 1, Tanyao 1",
        "player 1's win is 30 fu 2 han; 30 fu 1 han expected from the play",
        "the yaku of player 1's win are Houtei raoyui 1, Tanyao 1; Houtei raoyui 1 expected",
        "player 1's win is worth 2000; 1000 (30 fu 1 han) expected",
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
        "the limit of player 1's win is sanbaiman; yakuman expected",
        "player 1's win is worth 24000; 32000 (30 fu 14 han) expected",
    ),
    case(
        "suuankou tanki counts once",
        Story("0 5p tg ron1", "", "222m444m666p888s5p"),
        Told("50 fu 32000: Suuankou tanki", (-32000, 32000, 0, 0), Limit.YAKUMAN),
        "50 fu 64000: Suuankou tanki; YAKUMAN",
        "player 1's win is worth 64000; 32000 (yakuman) expected",
    ),
    case(
        "thirteen waits count once",
        Story("0 9m tg ron1", "", EVERY_ORPHAN),
        Told("0 fu 32000: Kokushi musou juusanmen", (-32000, 32000, 0, 0), Limit.YAKUMAN),
        "0 fu 64000: Kokushi musou; YAKUMAN",
        "the yaku of player 1's win are Kokushi musou; Kokushi musou juusanmen expected",
        "player 1's win is worth 64000; 32000 (yakuman) expected",
    ),
    case(
        "several yakuman add up",
        Story("0 sw tg ron1", "", "wdwdwd gdgdgd rdrdrd ewewew sw"),
        Told("70 fu 96000: Daisangen, Suuankou tanki, Tsuuiisou", (-96000, 96000, 0, 0), Limit.YAKUMAN),
        "70 fu 32000: Daisangen; YAKUMAN",
        "the yaku of player 1's win are Daisangen; Daisangen, Suuankou tanki, Tsuuiisou expected",
        "player 1's win is worth 32000; 96000 (yakuman) expected",
    ),
    case(
        "three players: the dora of 1m is 9m",
        Story("0 ew tg 1 ww rc tg 2 8p tg ron1", "", "999m123p345s22s67p", rules=THREE, shows="1m"),
        Told("40 fu 12000: Double riichi 2, Ippatsu 1, Dora 3", (0, 13000, -12000), Limit.HANEMAN, ura="wd"),
        "40 fu 5200: Double riichi 2, Ippatsu 1",
        "player 1's win is 40 fu 3 han; 40 fu 6 han expected from the play",
        "the yaku of player 1's win are Ippatsu 1, Double riichi 2; Ippatsu 1, Double riichi 2, Dora 3 expected",
        "the limit of player 1's win is none; haneman expected",
        "player 1's win is worth 5200; 12000 (40 fu 6 han) expected",
    ),
    case(
        "three players: a ron on a kita keeps ippatsu and is not chankan",
        Story("0 ew tg 1 ww rc tg 2 nw kita ron1", "", "234p567p345s678s nw", rules=THREE),
        Told("40 fu 5200: Double riichi 2, Ippatsu 1", (0, 6200, -5200), ura="wd"),
        "40 fu 8000: Double riichi 2, Ippatsu 1, Chankan 1; MANGAN",
        "player 1's win is 40 fu 4 han; 40 fu 3 han expected from the play",
        "the yaku of player 1's win are Ippatsu 1, Chankan 1, Double riichi 2; Ippatsu 1, Double riichi 2 expected",
        "the limit of player 1's win is mangan; none expected",
        "player 1's win is worth 8000; 5200 (40 fu 3 han) expected",
    ),
    case(
        "three players: a kita ends ippatsu",
        Story("0 ew tg 1 ww rc tg 2 nw kita 9p tg 0 8p tg ron1", "", PINFU_OF_THREE, rules=THREE),
        Told("30 fu 7700: Double riichi 2, Pinfu 1, Tanyao 1", (-7700, 8700, 0), ura="wd"),
        "30 fu 8000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1; MANGAN",
        "player 1's win is 30 fu 5 han; 30 fu 4 han expected from the play",
        "the yaku of player 1's win are Ippatsu 1, Pinfu 1, Tanyao 1, Double riichi 2;"
        " Pinfu 1, Tanyao 1, Double riichi 2 expected",
        "the limit of player 1's win is mangan; none expected",
        "player 1's win is worth 8000; 7700 (30 fu 4 han) expected",
    ),
    case(
        "three players: a kita is a dora, two if north is dora, and its replacement is rinshan",
        Story("0 ew tg 1 nw kita 8p tsumo", "", PINFU_OF_THREE, rules=THREE, shows="ww"),
        Told(
            "20 fu 9000: Menzen tsumo 1, Rinshan kaihou 1, Pinfu 1, Tanyao 1, Dora 2",
            (-6000, 9000, -3000),
            Limit.HANEMAN,
        ),
        "20 fu 32000: Chiihou; YAKUMAN",
        "player 1's win is 20 fu yakuman; 20 fu 6 han expected from the play",
        "the yaku of player 1's win are Chiihou; Menzen tsumo 1, Rinshan kaihou 1, Pinfu 1, Tanyao 1, Dora 2 expected",
        "the limit of player 1's win is yakuman; haneman expected",
        "player 1's win is worth 32000; 9000 (20 fu 6 han) expected",
    ),
    case(
        "three players: haitei on the 55th draw, and nobody pays the missing player's part",
        Story("fill=54 0 8p tsumo", PINFU_OF_THREE, rules=THREE),
        Told("20 fu 5200: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1", (5200, -2600, -2600)),
        "20 fu 7800: Menzen tsumo 1, Haitei raoyue 1, Pinfu 1, Tanyao 1",
        "player 0's win is worth 7800; 5200 (20 fu 4 han) expected",
    ),
]

FRAMES = {told.name: told.story.frame(told.right) for told in CASES}

each_case = pytest.mark.parametrize("told", CASES, ids=lambda told: told.name)


@each_case
def test_right(told: Case) -> None:
    """A correctly recorded win agrees, and so do its payments."""
    report = check_score(match(FRAMES[told.name], rules=told.story.rules))
    assert report.findings == []
    assert report.agreed == {Subject.WIN: 1, Subject.WIN_PAYMENTS: 1}


@each_case
def test_trap(told: Case) -> None:
    """A win recorded by falling into the trap is reported, part by part."""
    place = f"frame {told.story.start.name}: "
    assert lines(retold(FRAMES[told.name], told.wrong), told.story.rules) == [place + line for line in told.found]


def test_no_win() -> None:
    """A hand that cannot win is reported, and its payments are not checked."""
    frame = Story("0 5s tg 1 chi[3s4s] 9p 2 8p tg ron1", "", "234m678m34s22s67p9p", rules=NO_KUITAN)
    report = check_score(match(frame.frame(Told("30 fu 1000: Tanyao 1", (0, 1000, -1000, 0))), rules=NO_KUITAN))
    assert list(map(str, report.findings)) == [
        "frame E1-0: player 1's win is 30 fu 1 han; no win (no yaku) expected from the play"
    ]
    assert report.wrong == {Subject.WIN: 1}
    assert report.not_judged[Subject.WIN_PAYMENTS, "the hand has no value"] == 1

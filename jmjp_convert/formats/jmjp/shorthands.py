"""The shorthands for well-known texts, such as ``mlg``.

Source: table 1 of the jmjp standard 1.0.0; ``docs/design/jmjp-grammar.md`` lists the tokens.
"""

from __future__ import annotations

from collections.abc import Mapping

from jmjp_convert.model import Text

Tokens = Mapping[str, Text]
"""The tokens of a field and their texts; each field has its own table, as in the standard."""

NO_TOKENS: Tokens = {}

TOURNAMENTS: Tokens = {"mlg": Text("Mリーグ", "M League")}

STAGES: Tokens = {
    "1rd": Text("一回戦", "First round"),
    "2rd": Text("二回戦", "Second round"),
    "qtf": Text("準々決勝", "Quarterfinal"),
    "smf": Text("準決勝", "Semifinal"),
    "fin": Text("決勝", "Final"),
    "mlg-reg": Text("Mリーグ レギュラーシーズン", "M League Regular Season"),
    "mlg-sfs": Text("Mリーグ セミファイナルシリーズ", "M League Semifinal Series"),
    "mlg-fns": Text("Mリーグ ファイナルシリーズ", "M League Final Series"),
}

PLACES: Tokens = {"mlg-std": Text("Mリーグスタジオ", "M League Studio")}

TEAMS: Tokens = {
    "mlg-drn": Text("赤坂ドリブンズ", "Akasaka Drivens"),
    "mlg-exf": Text("EX風林火山", "EX Furinkazan"),
    "mlg-skn": Text("KADOKAWAサクラナイツ", "Kadokawa Sakura Knights"),
    "mlg-mfc": Text("KONAMI麻雀格闘倶楽部", "Konami Mahjong Fight Club"),
    "mlg-abm": Text("渋谷ABEMAS", "Shibuya Abemas"),
    "mlg-phx": Text("セガサミーフェニックス", "Sega Sammy Phoenix"),
    "mlg-rdn": Text("TEAM雷電", "Team Raiden"),
    "mlg-prt": Text("U-NEXT Pirates", "U-Next Pirates"),
}

AFFILIATIONS: Tokens = {
    "none": Text("無所属", "None"),
    "saikouisen": Text("最高位戦日本プロ麻雀協会", "Saikouisen"),
    "prokyoukai": Text("日本プロ麻雀協会", "Prokyoukai"),
    "prorenmei": Text("日本プロ麻雀連盟", "Prorenmei"),
    "rmu": Text("RMU", "RMU"),
    "rengoumu": Text("麻将連合-μ-", "Rengou Mu"),
    "101": Text("101競技連盟", "101"),
    "kishikai": Text("日本プロ麻雀棋士会", "Kishikai"),
    "zennihon": Text("全日本麻雀協会", "Zennihon"),
}
"""``none`` means "no known affiliation"; an empty field says nothing about it."""

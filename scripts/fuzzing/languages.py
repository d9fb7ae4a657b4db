"""The vocabulary of each format, for the edits."""

from __future__ import annotations

import re

from fuzzing.edits import Language


def _patterns(*patterns: str) -> tuple[re.Pattern[bytes], ...]:
    return tuple(re.compile(pattern.encode(), re.DOTALL) for pattern in patterns)


def _words(text: str) -> tuple[bytes, ...]:
    """Return the words in *text*; ``␣`` stands for a space in them, ``⏎`` for a line feed."""
    return tuple(word.replace("␣", " ").replace("⏎", "\n").encode() for word in text.split())


def _binary(*digits: str) -> tuple[bytes, ...]:
    """Return bytes given in hexadecimal *digits*."""
    return tuple(map(bytes.fromhex, digits))


def _brackets(*pairs: str) -> tuple[tuple[bytes, bytes], ...]:
    return tuple((opening, closing) for opening, _, closing in (pair.encode().partition(b" ") for pair in pairs))


MJLOG = Language(
    parts=_patterns(
        r"<INIT.*?(?=<INIT|</|$)",
        r"<[^<>]*>",
        r"\s+[\w:]+\s*=\s*(?:\"[^\"]*\"|'[^']*')",
        r"<[A-Z]+|[a-zA-Z0-9]+(?==)",
        r"(?<=[\"'])[^\"'<>=]*(?=[\"'])",
        r"-?[0-9]+",
    ),
    words=_words("""
        <!----> <!--␣<INIT>␣--> <?x␣y?> <![CDATA[<]]> &amp; &lt; &#10; &#0; &#xD800; &#x10FFFF; &#x85; &e;
        <!DOCTYPE␣mjloggm␣[<!ENTITY␣e␣"&#38;e;&#38;e;">]> <!DOCTYPE␣mjloggm␣SYSTEM␣"x"> ␣xmlns="x" ␣xmlns:a="x"
        ␣a:who="0" ␣xml:lang="ja" <a:b/> <x> </x> < > /> " ' = & ]]> <mjloggm> </mjloggm>
        <?xml␣version="1.0"␣encoding="UTF-16"?> % %0A %22%5C %C2%85 %E2%80%A8 %ED%A0%80 %00 +
        <T5/> <U6/> <V7/> <W135/> <D5/> <E6/> <F7/> <G136/> <D/> <T␣5/> <T5␣x="y"/> <T5><x/></T5>
        <BYE␣who="1"␣/> <UN␣n1="%41"␣/> <UN␣n0="%FF%"␣n1=""␣n2="x"␣n3="y"␣dan="1"␣/> <UN/> <TAIKYOKU␣oya="0"/>
        <DORA␣hai="5"␣/> <REACH␣who="0"␣step="1"/> <REACH␣who="0"␣ten="240,250,250,250"␣step="2"/>
        <N␣who="0"␣m="53743"␣/> <N␣who="1"␣m="31232"␣/> <N␣who="2"␣m="30752"␣/> <GO␣type="9"␣lobby="0"/>
        <RYUUKYOKU␣ba="0,0"␣sc="250,0,250,0,250,0,250,0"␣/> <GO␣type="17"/> <GO␣type="2048"␣title="%41␣"/>
        <SHUFFLE␣seed="mt19937ar-sha512-n288,1"␣ref=""/> ␣type="nm" ␣type="ron3" ␣type="yao9" ␣type="reach4"
        ␣owari="250,5.0,250,5.0,250,5.0,250,-15.0" ␣ratio="x" ␣chip="1,2,3,4" ␣chip="1,2" ␣paoWho="0" ␣doraHaiUra="5"
        ␣m="53743" ␣yakuman="39" ␣yaku="1,1" ␣shuffle="x" ␣hai3="" ␣lobby="1" ␣dan="1,,3" ␣rc="a,b␣c,d" ␣gold="1"
        ␣csrule="a=b" ␣rule="%" ␣ranking="&#10;" ␣rate="x,-1,1e5,0"
    """),
    brackets=_brackets("<x> </x>", "<mjloggm> </mjloggm>", "<INIT> </INIT>", "<T5> </T5>", "<!-- -->"),
)

JMJP = Language(
    parts=_patterns(
        r"frm\[.*?(?=frm\[|$)",
        r"[^\n]*\n",
        r"\([^()]*\)",
        r"[a-z]{2,3}\[[^\[\]]*\]",
        r'"[^"]*"',
        r"// tenhou[^\n]*\n",
        r"[a-z]+=[^\s=]*",
        r"-?[0-9]+\.[0-9]",
        r"[a-z0-9]{2}",
        r"[0-9][mps]|[eswn]w|[wgr]d|uk",
    ),
    words=_words(r"""
        ( ) [ ] , " \ \" // /* - . ⏎ 1m uk 0p 5p tm ro rn tg kg oy rs[1m] kk[ chi[ (e, (s,ro,) hnd[ //␣tenhou␣
        jmjp[0] jmjp[1.0] jmjp[1.0-beta] (e,1m,tg) (s,ch[2m3m],1p) (w,pn,1m) (n,dk[1m1m1m],) (e,1m,ak[1m1m1m1m])
        (e,1m,kk[1m]) (e,1m,rc[1m]) (s,rn,) (e,oy,1m) (e,uk,uk) (e,uk,tg) (s,uk,) (e,1m,tm) ak[1m] ak[ukukukuk]
        pon[5m,0m5m,k] pon[5m,k] dmk[1m,1m1m1m,t] kkn[1m,1m,1m1m,s] kkn[1m,k] ank[1m1m1m1m] ank[1m] hnd[1m,,]
        frm[E1-0,,,,,,,] frm[N4-99,12.0,9,,,,,] pfs[25.0,25.0,25.0,25.0] pfe[25.0,25.0,25.0,25.0] 3-4 1.0 -1.0 -0.0
        pme[1.0,2.0,3.0,-6.0] ptn[(1.0,),(,1.0),(,),(,)] rec[,E1-0E1-1] rec[,all] snt["天鳳"] srm["x"] snt[""]
        tnm[,2011,,1,2] mtp[20110204,fri,1730,] ptr[25.0,30.0,(20.0,10.0),0.3,3.0] 999999999.9 wpf mlg sun 20110230
        ⏎//␣tenhou␣bye␣player=1⏎ ⏎//␣tenhou␣back␣player=1␣name=%41␣at=draw⏎ ⏎//␣tenhou␣chips=1,2,3,4⏎ ⏎//␣x⏎
        ⏎//␣tenhou␣chips=1,2,3,4␣chipyaku=1,2⏎ ⏎//␣tenhou␣ratio=x⏎ ⏎//␣tenhou␣riichi=karagiri⏎ ␣at=draw
        ⏎//␣tenhou␣type=9␣lobby=0␣shuffle=none⏎ ⏎//␣tenhou␣type=17␣shuffle=old⏎ ⏎//␣tenhou␣shuffle=hex␣title=%0A⏎
        ⏎//␣tenhou␣player=1␣dan=3␣name=%FF⏎ ␣chips=1 ␣chipyaku=1,2 ␣ratio=x ␣id=2019041809gm-0089-1234-0123abcd
        ␣source=%22 ␣lobby= ␣dan=-1 ␣name= = ␣house=mahjong-soul ␣house=none ␣red=no ␣rank=x
        ␣id=231014-0123abcd-b3f7-4363-966e-25f378860000
    """),
    brackets=_brackets("( )", "[ ]", "hnd[ ]", "frm[ ]", '" "', "(e,hnd[ ])"),
)

JSON = Language(
    parts=_patterns(
        r"\{\"type\":\"frame\".*?(?=\{\"type\":\"(?:frame|end_match)\"|$)",
        r"[^\n]*\n",
        r"\"[a-z_0-9]+\":(?:\[[^\[\]]*\]|\{[^{}]*\}|\"[^\"\n]*\"|[^,\[{}\]]+),?",
        r"\[[^\[\]]*\]|\{[^{}]*\}",
        r"\"[^\"\n]*\"",
        r"-?[0-9]+",
    ),
    words=_words(r"""
        { } [ ] , : " \ null true false NaN -Infinity 1.0 1e3 -0 00 9007199254740992 -100 25000 "" "uk" "5m" "0p"
        "tsumogiri": 136 [] {} [null] "\ud800" "\udc80\ud83d" "\u0000" "\u2028" "type": "player":3, "tile":5,
        {"type":"draw","player":0,"tile":5}⏎ {"type":"discard","player":0,"tile":5,"tsumogiri":true}⏎
        {"type":"riichi","player":1}⏎
        {"type":"riichi_accepted","player":1}⏎ {"type":"dora","indicator":9}⏎ {"type":"kita","player":2,"tile":120}⏎
        {"type":"chi","player":1,"taken":53,"hand":[45,49],"source":0}⏎ {"type":"disconnected","player":3}⏎
        {"type":"pon","player":1,"taken":"5m","hand":["5m","0m"],"source":0}⏎ {"type":"returned","player":3,"name":"x"}⏎
        {"type":"ankan","player":1,"tiles":[16,17,18,19]}⏎ {"type":"win","player":1,"source":2,"tile":54}⏎
        {"type":"ryuukyoku","kind":"nine_terminals"}⏎ {"type":"ryuukyoku","changes":[0,0,0,0],"before":[0,0,0,0]}⏎
        {"type":"frame","round":0,"honba":1,"dealer":0}⏎ {"type":"end_frame"}⏎ {"type":"end_match"}⏎
        {"type":"match","format":"riichi-events","version":1,"rules":{"players":3},"players":[{},{},{}]}⏎
        "id":"2019041809gm-0089-1234-0123abcd", "raw_name":"ff", "dora":["uk"], "comment":{"native":"x"},
        "pao":[0], "account":1, "started":1700000000, "wall":{"tiles":["1m"],"dealt":true}, "thinking":[{"time":1}],
        "open":true,
    """),
    brackets=_brackets("[ ]", "{ }", '" "', '{"x": }', "[[ ]]"),
)

MJAI = Language(
    parts=_patterns(
        r"\{\"type\":\"start_kyoku\".*?(?=\{\"type\":\"start_|$)",
        r"[^\n]*\n",
        r"\"[a-z_]+\":(?:\[[^\[\]]*\]|\"[^\"\n]*\"|[^,\[{}\]]+),?",
        r"\[[^\[\]]*\]|\{[^{}]*\}",
        r"-?[0-9]+",
        r"\"(?:[1-9][mps]r?|[ESWNPFC?])\"",
    ),
    words=_words(r"""
        { } [ ] , : " \ null true false NaN 1.0 -0 00 -100 25000 "" "?" "5mr" "0p" "7z" [] {} [null] "\ud800" "type":
        {"type":"tsumo","actor":0,"pai":"5m"}⏎ {"type":"dahai","actor":0,"pai":"5m","tsumogiri":true}⏎
        {"type":"reach","actor":1}⏎ {"type":"reach_accepted","actor":1,"scores":[25000,24000,25000,25000]}⏎
        {"type":"dora","dora_marker":"9p"}⏎ {"type":"nukidora","actor":2,"pai":"N"}⏎ {"type":"kita","actor":0}⏎
        {"type":"chi","actor":1,"target":0,"pai":"5m","consumed":["4m","6m"]}⏎ {"type":"none"}⏎ {"type":"error"}⏎
        {"type":"pon","actor":1,"target":0,"pai":"5m","consumed":["5m","5mr"]}⏎ {"type":"end_kyoku"}⏎ {"type":"x"}⏎
        {"type":"ankan","actor":1,"consumed":["E","E","E","E"]}⏎ {"type":"kan","actor":1,"pai":"?"}⏎
        {"type":"kakan","actor":1,"pai":"5m","consumed":["5m","5m","5mr"]}⏎ {"type":"start_game"}⏎ {"type":"end_game"}⏎
        {"type":"hora","actor":1,"target":2,"deltas":[0,1000,-1000,0],"ura_markers":["1m"]}⏎ "fu":30,"fan":3,
        {"type":"hora","actor":1,"target":1}⏎ "yakus":[["reach",1],["sangenpai",2]], "hora_points":8000, "pao":3,
        {"type":"ryukyoku","reason":"fanpai","tenpais":[true,false,false,true],"tehais":[["?"],[],[],["1m"]]}⏎
        {"type":"ryukyoku","deltas":[0,0,0,0]}⏎ "names":["a","b","c",""], "aka_flag":false, "oya":3, "scores":[0,0,0],
    """),
    brackets=_brackets("[ ]", "{ }", '" "', '{"x": }', "[[ ]]"),
)

TENHOU6 = Language(
    parts=_patterns(
        r"\[\[[0-9]+,[0-9]+,[0-9]+\],.*?(?=\[\[[0-9]+,[0-9]+,[0-9]+\],|$)",
        r"[^\n]*\n",
        r"\"[a-z0-9]+\":(?:\[[^\[\]]*\]|\{[^{}]*\}|\"[^\"\n]*\"|[^,\[{}\]]+),?",
        r"\[[^\[\]]*\]|\{[^{}]*\}",
        r"\"[^\"\n]*\"",
        r"%[0-9A-F]{2}",
        r"-?[0-9]+",
        r"[cpmkarf]?(?:[1-4][0-9]|5[123]|60)+",
    ),
    words=_words(r"""
        { } [ ] , : " \ null true false NaN 1.0 -0 00 -100 25000 "" [] {} [null] "\ud800" 60, 0, 51, 10, 99, "r60",
        "r35", "f44", "c275226", "p252525", "12p1212", "3737p37", "m39393939", "26m262626", "131313m13", "424242a42",
        "k25252525", "25k252525", "5151a5151", "p15", "c1112", "和了", "流局", "全員聴牌", "全員不聴", "流し満貫",
        "九種九牌", "四家立直", "三家和了", "四槓散了", "四風連打", "不明", "30符4飜7700点", "1000-2000点", "2000点∀",
        "満貫8000点", "役満48000点∀", "Mangan␣2000-4000点", "立直(1飜)", "役牌:場風牌(1飜)", "大三元(役満)",
        "Riichi(1飜)", "x(y)", [0,1,0,"満貫8000点","立直(1飜)"] [1000,-1000,0,0] "title":["",""],
        "name":["a","b","c",""], "rule":{"disp":"鳳南喰赤","aka":1}, "rule":{"disp":"玉の間南喰赤","aka53":0},
        "ver":"2.3", "ref":"2019041809gm-0089-1234-0123abcd", "sc":[25000,0.0], "dan":["七段","",null,5],
        "rate":[1500.0], "sx":["M"], "lobby":0, "connection":[{"what":0,"log":-1,"who":1,"step":3}], "ratingc":"PF3",
        https://tenhou.net/6/#json= &ts=0 %7B %22 + https://tenhou.net/5/#json=[ #json={}⏎
    """),
    brackets=_brackets("[ ]", "{ }", '" "', '{"x": }', "[[ ]]"),
)

MAJIANG = Language(
    parts=_patterns(
        r"\{\"qipai\":.*?(?=\{\"qipai\":|$)",
        r"\{\"[a-z]+\":\s*\{[^{}]*\}\},?",
        r"[^\n]*\n",
        r"\"[a-z]+\":\s*(?:\[[^\[\]]*\]|\"[^\"\n]*\"|[^,\[{}\]]+),?",
        r"\[[^\[\]]*\]|\{[^{}]*\}",
        r"\"[^\"\n]*\"",
        r"-?[0-9]+",
        r"(?<=[\"mpszA-Za-z0-9_,])[mpsz][0-9]|_",
    ),
    words=_words(r"""
        { } [ ] , : " \ null true false NaN 1.0 -0 00 -100 25000 "" [] {} [null] "\ud800" "m0" "z8" "_" "m5_" "s1_*"
        "p5*_" "z7_+" "m123456789p1155" "_____________" "m12__z1*,p111=,z5555" "l":3, "p":"m5", "m":"m340-"
        "m":"z111+1" "m":"p5550" "m":"m12-3" {"zimo":{"l":0,"p":"m5"}}, {"dapai":{"l":0,"p":"m5_"}},
        {"dapai":{"l":1,"p":"s1*"}}, {"gangzimo":{"l":0,"p":""}}, {"fulou":{"l":1,"m":"m555-"}},
        {"fulou":{"l":2,"m":"z1111="}}, {"gang":{"l":0,"m":"m5505"}}, {"gang":{"l":3,"m":"m505=5"}},
        {"kaigang":{"baopai":"s1"}}, {"hule":{"l":0}},
        {"hule":{"l":1,"baojia":0,"shoupai":"","defen":8000,"fanshu":5}}, {"pingju":{"name":"荒牌平局"}},
        {"pingju":{"name":"三家和","shoupai":["","m1","",""],"fenpei":[0,0,0,0]}}, {"x":{}},
        {"qipai":{"zhuangfeng":0,"jushu":0,"changbang":0,"lizhibang":0,"defen":[0,0,0,0],"baopai":["m1","m2"],"shoupai":["","","",""]}},
        {"name":"ドラ","fanshu":3} {"name":"大三元","fanshu":"**","baojia":2} "damanguan":2, "fubaopai":["z1"],
        "fu":30, "qijia":2, "title":"四鳳南喰赤\n2019041809gm-00a9-0000-0123abcd", "title":"x\n2024/7/8␣6:21:36",
        "point":["-15.7","","-","1"], "defen":["1",2,3,4],
        "player":["a\n(十段␣R2200)","b\n(R-1)","c\n(雀豪★2)","d\nx"], "log":[[]] "log":[],
    """),
    brackets=_brackets("[ ]", "{ }", '" "', '{"x": }', "[[ ]]"),
)

MAHJONG_SOUL = Language(
    parts=_patterns(
        r"\{\"passed\":[^\n]*\n",
        r"\{\"name\": \"\.lq\.[^\n]*\n",
        r"\"[a-z_A-Z0-9]+\":\s*(?:\[[^\[\]]*\]|\"[^\"\n]*\"|[^,\[{}\]]+),?",
        r"\[[^\[\]]*\]|\{[^{}]*\}",
        r"\x0a[\x10-\x20]\.lq\.[A-Za-z]+\x12",
        r"\x1a[\x04-\x7f]\x08",
        r"\"[^\"\n]*\"",
        r"-?[0-9]+",
        r"[0-9][mpsz]",
    ),
    words=(
        *_words(r"""
        { } [ ] , : " null true false NaN 1.0 -0 00 -100 25000 1e9 4294967296 "" [] {} "\ud800" 0m 8z 4zt "5m",
        "ChUubHEu"
        "seat":3, "seat":9, "type":2, "tile":"0p", "moqie":true, "is_liqi":true, "doras":["1m","2m"], "liqi":{"seat":1},
        "data":"" "data_url":"x" "version":0, "version":210715, "records":[ "actions":[ "hules":[ "scores":[ "fans":[]
        {"name":".lq.RecordNoTile","data":{}}, {"name":".lq.RecordLiuJu","data":{"type":2}},
        {"name":".lq.RecordDealTile","data":{"seat":1,"tile":"1m"}}, {"name":".lq.RecordBaBei","data":{"seat":2}},
        {"name":".lq.RecordAnGangAddGang","data":{"seat":0,"type":3,"tiles":"1z"}}, {"name":"","data":{}},
        {"passed":1,"user_event":{"seat":1,"type":2}}, {"passed":9,"user_input":{"seat":1,"type":3}}, "game_event":1,
        "mode":11 "mode_id":40 "detail_rule":{"chuanma":1} "dora_count":4 "baopai":4, "baopai_seats":[0,1], "id":34,
        "val":13
        "zimo":true, "yiman":true, "title_id":11, "level":{"id":10701} "uuid":"" "nickname":"", .lq. .lq.RecordHule
    """),
        *(b"\x03\x01\x00", b"\x0a\x00\x12", b"\x12\x00", b"\x1a\x00", b"\x08" + 9 * b"\xff" + b"\x01"),
        *(b"\x80" * 11, b"\x0b", b"\x0d\x00\x00\x00\x00", b"\x0a\xff\x7f", b"\x10\x9b\xee\x0c", b"\x2a\x02\x80\x01"),
    ),
    brackets=_brackets("[ ]", "{ }", '" "', '{"x": }', "[[ ]]"),
)

RIICHI_CITY = Language(
    parts=_patterns(
        r"\{\s*\"quanFeng\":.*?(?=\{\s*\"quanFeng\":|$)",
        r"\{\"data\":[^\n]*\n",
        r"[^\n]*\n",
        r"\\?\"[a-zA-Z_0-9]+\\?\":\s*(?:\[[^\[\]]*\]|\"[^\"\n\\]*\"|[^,\[{}\]]+),?",
        r"\{\\\"[a-z_]+\\\":.*?\}(?=\")",
        r"\[[^\[\]]*\]|\{[^{}]*\}",
        r"\"[^\"\n\\]*\"",
        r"-?[0-9]+",
    ),
    words=_words(r"""
        { } [ ] , : " \ \" \\ \u0022 \n null true false NaN 1.0 -0 00 -100 25000 "" [] {} [null] "\ud800"
        49, 65, 97, 145, 261, "initPoints":␣0,
        1001, 1002, 1003, 1004, "playerCount":␣3, "playerCount":␣2, "isGeMu":␣true, "isLuck":␣true, "isShaoJi":␣true,
        "northOperateType":␣1, "gamePlay":␣1001, "stageType":␣4, "fangFu":␣5, "code":␣7, "keyValue":␣"c0",
        {"data":␣"{\"in_card\":9}",␣"eventType":␣2,␣"userId":␣1002},⏎ {"data":␣"{}",␣"eventType":␣3,␣"userId":␣1002},⏎
        {"data":␣"{\"action\":11,\"card\":9,\"user_id\":1002,\"move_cards_pos\":[14]}",␣"eventType":␣4,␣"userId":␣0},⏎
        {"data":␣"{\"action\":5,\"card\":9,\"user_id\":1003,\"group_cards\":[9,9]}",␣"eventType":␣4,␣"userId":␣0},⏎
        {"data":␣"{\"action\":13,\"card\":97,\"user_id\":1001}",␣"eventType":␣4,␣"userId":␣0},⏎
        {"data":␣"{\"cards\":[129]}",␣"eventType":␣7,␣"userId":␣0},⏎ {"data":␣"{\"user_id\":1001}",␣"eventType":␣8},⏎
        {"data":␣"{\"end_type\":8}",␣"eventType":␣5},⏎ {"data":␣"{\"end_type\":7}",␣"eventType":␣5},⏎
        {"data":␣"{\"user_data\":[]}",␣"eventType":␣6},⏎ \"is_li_zhi\":true, \"li_zhi_type\":3, \"li_bao_card\":[1],
        \"is_bao_pai\":true, \"fang_type\":54, \"fang_type\":43, \"fang_num\":0, \"all_point\":0, \"end_type\":10,
        \"zhong_liu_info\":[{}], \"StageLevel\":21, \"luck_score\":5, \"pt_value\":-5, "startTime":␣99999999999999,
        "handCardEncode":␣"0m", "handCardsSHA256":␣"", "handRecord":␣[], "data":␣null, "message":␣"x",
    """),
    brackets=_brackets("[ ]", "{ }", '" "', '{"x": }', '{\\"x\\": }', "[[ ]]"),
)

IDS = Language(
    parts=_patterns(r"[^\n]*\n?", r"[^-/?&=#\s]+", r"[-/?&=#.:@%;]", r"[0-9]+", r"[0-9a-f]"),
    words=_words("""
        2019041809gm-0009-0000-0123abcd 2012090306gm-0089-0000-x666f4d41e26b gm -x -x0123456789ab gm-0009-0000-0123abcd
        20190418 2012 20101131 https://tenhou.net/0/?log= http:// tenhou.net /0/log/? ? &tw=1 &amp; &log= # &#45;
        &#x2d; &#99999999999; %2D % .. / \\ @ : :99999 [ ] [::1] log= ; + gm-fffffff- -00000- xn--
        。 。net ｇｍ G X A ſ K %EF%BC%92
    """),  # noqa: RUF001 - characters that some functions take for others
    brackets=_brackets("[ ]", "http:// /", "%25 "),
)

LISTS = Language(
    parts=_patterns(
        *(r"[^\n]*\n?", r"(?<![^|\n])[^|\n]*+\|", r"<[^<>]*>", r"\{[^{}]*\}", r"&[^;\s]*;"),
        *(r"(?<![^\s(])[^\s(]*+\([^()]*\)", r"[-\w.]+"),
    ),
    words=(
        *IDS.words,
        *_words("""
            ␣|␣ | 09:41␣|␣34␣|␣x␣|␣ 24:00 L1000␣| <br> <BR␣/> <a␣href=" </a> <html> (+1.0) ( ) (- (1 (1. A(+1.0)␣ #␣ ␣#x
            ⏎ &amp; &lt; &#40; list([ ]); {file:'scc2026033000.html.gz',size:40758}, file:' ',size: 2025/ ../ '
            scc20190418.html sca2019041809.log.gz ykm=[ size:999999999999
        """),
    ),
    brackets=_brackets("( )", "<a> </a>", "{file:' ',size:1}", "| |"),
)

LINKS = Language(
    parts=(*TENHOU6.parts, *_patterns(r"%[0-9A-Fa-f]{2}", r"[^/?#&=]+[/?#&=]?", r"https?://[^/]*/")),
    words=(*TENHOU6.words, *IDS.words),
    brackets=TENHOU6.brackets,
)

_NUMBERS = _binary(
    *(f"{number:0{2 * width}x}" for width in (2, 4, 8) for number in (0, 1, 0xFF, (1 << 8 * width) - 1)),
    *("01000000", "00010000", "0000ff7f", "0800", "0c00", "0100"),
)
"""Numbers in fields of two, four and eight bytes."""

ZIPS = Language(
    parts=_patterns(
        *(r"PK\x01\x02.{42}[^P]*", r"PK\x03\x04.{26}[^P]*", r"PK\x05\x06.{18}", r"PK\x06[\x06\x07].{16}"),
        *(r"PK..", r"(?<=PK\x01\x02.{6}).{2}", r"(?<=PK\x01\x02.{16}).{4}", r"(?<=PK\x01\x02.{38}).{4}"),
        *(r".{4}", r".{2}", r"[a-z/.]+"),
    ),
    words=(*_NUMBERS, *_binary("504b0102", "504b0304", "504b0506", "504b0606", "504b0607", "0100", "01001000")),
    brackets=_brackets("PK\x03\x04 PK\x01\x02", "/ /"),
)

TARS = Language(
    parts=_patterns(r".{512}", r"(?<=.{124})[0-7]{11}", r"[0-7]{6,11}", r"[0-9]+ [^=]*=[^\n]*\n", r"[a-z/.]+", r"."),
    words=(
        *_words("0 1 2 3 4 5 6 7 x X g L K S ustar 00000001130 77777777777 16␣path=x⏎ 12␣size=5⏎ 9␣size=⏎"),
        *_words("22␣GNU.sparse.major=1⏎ 99999999999999999999␣a=b⏎ 00000000000 -1 ././@LongLink"),
        *_binary("00", "80000000000000ffffffffff", "ff", "0000000000000000", "00" * 512),
    ),
    brackets=_brackets("12␣ =\n".replace("␣", " "), "/ /"),
)

SQL = Language(
    parts=_patterns(
        *(r"[^\n]*;\n", r"\([^()]*\)", r"[a-z_]+\s+[A-Z]+,?", r"'[^']*'", r"x'[0-9a-f]*'", r",[^,]*", r"[0-9]+"),
        *(r"-- bytes[^\n]*\n", r"[A-Za-z_]+"),
    ),
    words=_words("""
        CREATE␣VIEW␣logs␣AS␣SELECT␣1␣id,␣2␣log,␣0␣was_error;⏎ CREATE␣VIRTUAL␣TABLE␣f␣USING␣fts5(id,log,was_error);⏎
        DROP␣TABLE␣logs;⏎ ALTER␣TABLE␣logs␣RENAME␣TO␣x;⏎ PRAGMA␣writable_schema=ON;⏎ PRAGMA␣page_size=512;⏎
        UPDATE␣sqlite_master␣SET␣rootpage=rootpage-1;⏎ UPDATE␣sqlite_master␣SET␣type='view';⏎
        UPDATE␣sqlite_master␣SET␣sql='CREATE␣TABLE␣logs(id,log␣AS␣(1),was_error)';⏎ DELETE␣FROM␣sqlite_master;⏎
        UPDATE␣sqlite_master␣SET␣sql=replace(sql,'id',char(0));⏎ UPDATE␣logs␣SET␣id=NULL;⏎
        INSERT␣INTO␣logs␣SELECT␣*␣FROM␣logs;⏎ UPDATE␣logs␣SET␣rowid=9223372036854775807-rowid;⏎
        UPDATE␣logs␣SET␣log=zeroblob(500000);⏎ UPDATE␣logs␣SET␣id=x'ff00';⏎ UPDATE␣logs␣SET␣was_error='x';⏎
        WITHOUT␣ROWID COLLATE␣NOCASE PRIMARY␣KEY UNIQUE DESC STRICT GENERATED␣ALWAYS␣AS␣(id) CHECK␣(id) DEFAULT␣1e999
        DEFAULT␣(random()) REFERENCES␣logs NOT␣NULL rowid oid _rowid_ id log was_error mjlog content log_id log_content
        -- bytes␣0␣53514c69⏎ --␣bytes␣16␣0001⏎ --␣bytes␣18␣0202⏎ --␣bytes␣100␣05⏎ --␣bytes␣108␣00000001⏎
        --␣bytes␣4096␣05⏎ --␣bytes␣4104␣00000002⏎ --␣bytes␣8192␣0a⏎ --␣bytes␣4099␣ffff⏎ 1e999 -1 0x10 ' ; ( ) , "
        9223372036854775807 x'00' char(0,55296) randomblob(9)
    """),
    brackets=_brackets("( )", "BEGIN; COMMIT;", '" "'),
)
"""Statements that make a database."""

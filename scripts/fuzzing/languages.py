"""What the files of each format are made of, for the mutator."""

from __future__ import annotations

import re
from urllib.parse import quote

from fuzzing.mutator import Language


def _patterns(*patterns: str) -> tuple[re.Pattern[bytes], ...]:
    return tuple(re.compile(pattern.encode(), re.DOTALL) for pattern in patterns)


_XML = (
    *(b"<!---->", b"<!-- <INIT> -->", b"<?x y?>", b"<![CDATA[<]]>", b"&amp;", b"&lt;", b"&#10;", b"&#0;", b"&#xD800;"),
    *(b"&#x10FFFF;", b"&e;", b'<!DOCTYPE mjloggm [<!ENTITY e "&#38;e;&#38;e;">]>', b'<!DOCTYPE mjloggm SYSTEM "x">'),
    *(b' xmlns="x"', b' xmlns:a="x"', b' a:who="0"', b' xml:lang="ja"', b"<a:b/>", b"<x>", b"</x>", b"<", b">", b"/>"),
    *(b'"', b"'", b"=", b"&", b"]]>", b"<mjloggm>", b"</mjloggm>", b'<?xml version="1.0" encoding="UTF-16"?>'),
)

MJLOG = Language(
    parts=_patterns(
        r"<INIT.*?(?=<INIT|</|$)",
        r"<[^<>]*>",
        r"\s+[\w:]+\s*=\s*(?:\"[^\"]*\"|'[^']*')",
        r"<[A-Z]+|[a-zA-Z0-9]+(?==)",
        r"(?<=[\"'])[^\"'<>=]*(?=[\"'])",
        r"-?[0-9]+",
    ),
    words=(
        *_XML,
        *(b"<T5/>", b"<U6/>", b"<V7/>", b"<W135/>", b"<D5/>", b"<E6/>", b"<F7/>", b"<G136/>", b"<D/>", b"<T 5/>"),
        *(b'<BYE who="1" />', b'<UN n1="%41" />', b'<UN n0="%FF%" n1="" n2="x" n3="y" dan="1" />', b"<UN/>"),
        *(b'<DORA hai="5" />', b'<REACH who="0" step="1"/>', b'<REACH who="0" ten="240,250,250,250" step="2"/>'),
        *(b'<N who="0" m="53743" />', b'<N who="1" m="31232" />', b'<N who="2" m="30752" />', b'<TAIKYOKU oya="0"/>'),
        *(b'<RYUUKYOKU type="yao9" ba="0,0" sc="250,0,250,0,250,0,250,0" />', b'<GO type="9" lobby="0"/>'),
        *(b'<GO type="17"/>', b'<SHUFFLE seed="mt19937ar-sha512-n288,1" ref=""/>', b' type="nm"', b' type="ron3"'),
        *(b' owari="250,5.0,250,5.0,250,5.0,250,-15.0"', b' ratio="x"', b' chip="1,2,3,4"', b' paoWho="0"'),
        *(b' doraHaiUra="5"', b' m="53743"', b' yakuman="39"', b' yaku="1,1"', b' shuffle="x"', b' title="%41"'),
        *(b' hai3=""', b' lobby="1"', b' dan="1,,3"', b' rc="a,b c,d"', b' gold="1"', b"%", b"%0A", b"%22%5C", b"+"),
    ),
    brackets=((b"<x>", b"</x>"), (b"<mjloggm>", b"</mjloggm>"), (b"<INIT>", b"</INIT>"), (b"<!--", b"-->")),
)

PIECES = [
    *(b"(", b")", b"[", b"]", b",", b'"', b"\\", b"//", b"\n", b"\r", b"-", b".", b"\xe5", b"\x00"),
    *(b"1m", b"uk", b"0p", b"tm", b"ro", b"rn", b"tg", b"kg", b"oy", b"rs[1m]", b"kk[", b"chi["),
    *(b"(e,", b"(s,ro,)", b"hnd[", b"// tenhou "),
]
"""What may stand in jmjp."""

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
    ),
    words=(
        *PIECES,
        *(b'\\"', b"/*", b"jmjp[0]", b"jmjp[1.0]", b"jmjp[1.0-beta]", b"(e,1m,tg)", b"(s,ch[2m3m],1p)", b"(w,pn,1m)"),
        *(b"(n,dk[1m1m1m],)", b"(e,1m,ak[1m1m1m1m])", b"(e,1m,kk[1m])", b"(e,1m,rc[1m])", b"(s,rn,)", b"(e,oy,1m)"),
        *(b"(e,uk,uk)", b"pon[5m,0m5m,k]", b"dmk[1m,1m1m1m,t]", b"kkn[1m,1m,1m1m,s]", b"ank[1m1m1m1m]", b"ank[1m]"),
        *(b"kkn[1m,k]", b"hnd[1m,,]", b"frm[E1-0,,,,,,,]", b"frm[N4-99,12.0,9,,,,,]", b"pfe[25.0,25.0,25.0,25.0]"),
        *(b"pme[1.0,2.0,3.0,-6.0]", b"ptn[(1.0,),(,1.0),(,),(,)]", b"rec[,E1-0E1-1]", b"rec[,all]", b"srm[\"x\"]"),
        *(b'snt["\xe5\xa4\xa9\xe9\xb3\xb3"]', b"tnm[,2011,,1,2]", b"mtp[20110204,fri,1730,]", b"ptr[25.0,30.0,(20.0,10.0),0.3,3.0]"),
        *(b"\n// tenhou bye player=1\n", b"\n// tenhou back player=1 name=%41 at=draw\n", b"\n// tenhou chips=1,2,3,4\n"),
        *(b"\n// tenhou riichi=karagiri\n", b"\n// tenhou type=9 lobby=0 shuffle=none\n", b"\n// tenhou type=17 shuffle=old\n"),
        *(b"\n// tenhou player=1 dan=3 name=%FF\n", b"\n// x\n", b" chips=1", b" chipyaku=1,2", b" ratio=x", b"-1.0", b"-0.0"),
        *(b" id=2019041809gm-0089-1234-0123abcd", b"999999999.9", b"wpf", b"mlg", b"sun", b"20110230", b"0000", b"2460"),
    ),
    brackets=((b"(", b")"), (b"[", b"]"), (b"hnd[", b"]"), (b"frm[", b"]"), (b'"', b'"'), (b"(e,hnd[", b"])")),
)

_ID = b"2019041809gm-0009-0000-0123abcd"
_SCRAMBLED = b"2012090306gm-0089-0000-x666f4d41e26b"

IDS = Language(
    parts=_patterns(r"[^\n]*\n?", r"[^-/?&=#\s]+", r"[-/?&=#.:@%;]", r"[0-9]+", r"[0-9a-f]"),
    words=(
        *(_ID, _SCRAMBLED, b"gm", b"-x", b"-x0123456789ab", b"gm-0009-0000-0123abcd", b"20190418", b"2012", b"20101131"),
        *(b"https://tenhou.net/0/?log=", b"http://", b"tenhou.net", b"/0/log/?", b"?", b"&tw=1", b"&amp;", b"&log=", b"#"),
        *(b"&#45;", b"&#x2d;", b"&#99999999999;", b"%2D", b"%", b"..", b"/", b"\\", b"@", b":", b":99999", b"[", b"]", b"[::1]"),
        *(b"log=", b";", b"+", b"gm-fffffff-", b"-00000-", b"xn--", "。".encode(), "。net".encode(), "ｇｍ".encode()),  # noqa: RUF001
        *(b"G", b"X", b"A", b"\xc5\xbf", "K".encode(), quote("２").encode()),  # noqa: RUF001
    ),
    brackets=((b"[", b"]"), (b"http://", b"/"), (b"%25", b"")),
)

LISTS = Language(
    parts=_patterns(r"[^\n]*\n?", r"[^|\n]*\|", r"<[^<>]*>", r"\{[^{}]*\}", r"&[^;\s]*;", r"[^\s(]*\([^()]*\)", r"[-\w.]+"),
    words=(
        *IDS.words,
        *(b" | ", b"|", b"09:41 | 34 | x | ", b"24:00", b"L1000 |", b"<br>", b"<BR />", b"<a href=\"", b"</a>", b"<html>"),
        *(b"(+1.0)", b"(", b")", b"(-", b"(1", b"(1.", b"A(+1.0) ", b"# ", b" #x", b"\n", b"\r\n", b"&amp;", b"&lt;", b"&#40;"),
        *(b"list([", b"]);", b"{file:'scc2026033000.html.gz',size:40758},", b"file:'", b"',size:", b"2025/", b"../", b"'"),
        *(b"scc20190418.html", b"sca2019041809.log.gz", b"ykm=[", b"size:999999999999", b"\xef\xbb\xbf", b"\xff"),
    ),
    brackets=((b"(", b")"), (b"<a>", b"</a>"), (b"{file:'", b"',size:1}"), (b"|", b"|")),
)

"""Makes ../rfc5849-corpus.json: RFC 5849 section 3.4.1, case by case, with Python's urllib and sorted.

Run in this folder: python3 make-rfc5849-corpus.py. It shares nothing with the code it guards. With --oauthlib the
expected values are also compared with the Python package oauthlib, which must be installed.

A URL is what `new URL(text)` sends. Where that is not the text itself (dot segments, IDN, IPv6, raw characters), the
case says in `sent` what the URL Standard makes of it, written by hand.
"""
import json
import sys
from urllib.parse import parse_qsl, quote, unquote, urlsplit

GATE = 'https://gate.example/paynet/api/v2/payout/39'
OAUTH = ('OAuth realm="Example", oauth_consumer_key="9djdj82h48djs9d2", oauth_token="kkk9d7dh3k39sjv7", '
         'oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131201", oauth_nonce="7d8f3e4a", '
         'oauth_signature="bYT5CMsGcbgUdFHObYMEfcx6bsw%3D"')
CASES = []


def enc(text):
    return quote(text, safe='-._~', encoding='utf-8', errors='strict')


def case(section, name, url=GATE, form='', pairs=None, header='', method='POST', sent=None):
    """`form` is a body as it is sent; `pairs` is one already decoded."""
    given = {'method': method, 'url': url, 'form': form, 'pairs': pairs or [], 'header': header}
    CASES.append((section, name, given, sent or url))


def decoded(text):
    return parse_qsl(text, keep_blank_values=True, encoding='utf-8', errors='strict')


def protocol(header):
    pieces = [piece.strip().partition('=') for piece in header[len('OAuth '):].split(',')] if header else []
    named = [(unquote(name, errors='strict'), unquote(value.strip('"'), errors='strict')) for name, _, value in pieces]
    return [(name, value) for name, value in named if name not in ('realm', 'oauth_signature')]


def address(sent):
    parts = urlsplit(sent)
    scheme, host = parts.scheme.lower(), parts.hostname.lower()
    host = f'[{host}]' if ':' in host else host
    default = {'http': 80, 'https': 443}[scheme]
    port = '' if parts.port in (None, default) else f':{parts.port}'
    return f'{scheme}://{host}{port}{parts.path or "/"}'


def expected(given, sent):
    pairs = decoded(urlsplit(sent).query) + decoded(given['form']) + [tuple(pair) for pair in given['pairs']]
    encoded = sorted((enc(name), enc(value)) for name, value in pairs + protocol(given['header']))
    parameters = '&'.join(f'{name}={value}' for name, value in encoded)
    uri = address(sent)
    return {'parameters': parameters, 'uri': uri,
            'baseString': '&'.join([enc(given['method'].upper()), enc(uri), enc(parameters)])}


ONE = '3.4.1.1'
case(ONE, "the RFC's own example", 'http://example.com/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b', 'c2&a3=2+q', header=OAUTH)
case(ONE, 'a method in lower case', method='post')
case(ONE, 'GET with a query', GATE + '?a=1', method='GET')
case(ONE, 'a method of your own', method='M-SEARCH')
case(ONE, 'nothing to cover but the address')
case(ONE, 'protocol parameters only', header=OAUTH)

TWO = '3.4.1.2'
case(TWO, "the RFC's first example", 'http://EXAMPLE.COM:80/r%20v/X?id=123')
case(TWO, "the RFC's second example", 'https://www.example.net:8080/?q=1')
case(TWO, 'scheme and host in capitals', 'HTTPS://GATE.EXAMPLE/PayNet/Api')
case(TWO, 'port 443 of https', 'https://gate.example:443/a')
case(TWO, 'port 80 of http', 'http://gate.example:80/a')
case(TWO, 'port 80 of https', 'https://gate.example:80/a')
case(TWO, 'port 443 of http', 'http://gate.example:443/a')
case(TWO, 'port 8443', 'https://gate.example:8443/a')
case(TWO, 'a port with leading zeros', 'http://gate.example:0080/a', sent='http://gate.example/a')
case(TWO, 'a colon without a port', 'https://gate.example:/a', sent='https://gate.example/a')
case(TWO, 'an empty path', 'https://gate.example')
case(TWO, 'an empty path with a query', 'https://gate.example?a=1', sent='https://gate.example/?a=1')
case(TWO, 'a trailing slash', 'https://gate.example/a/')
case(TWO, 'two slashes in the path', 'https://gate.example/a//b')
case(TWO, 'letter case in the path', 'https://gate.example/PayNet/aPI')
case(TWO, 'escapes in the path', 'https://gate.example/a%2Fb%20c%7Ed')
case(TWO, 'escapes in lower case in the path', 'https://gate.example/%c3%a9%2f')
case(TWO, 'reserved characters in the path', "https://gate.example/a!$&'()*+,;=:@b")
case(TWO, 'path parameters', 'https://gate.example/a;v=1/b;w')
case(TWO, 'a space in the path', 'https://gate.example/a b', sent='https://gate.example/a%20b')
case(TWO, 'a letter beyond ASCII in the path', 'https://gate.example/é', sent='https://gate.example/%C3%A9')
case(TWO, 'an astral character in the path', 'https://gate.example/🛒', sent='https://gate.example/%F0%9F%9B%92')
case(TWO, 'dot segments', 'https://gate.example/a/./b/../c', sent='https://gate.example/a/c')
case(TWO, 'escaped dot segments', 'https://gate.example/a/%2E%2e/c', sent='https://gate.example/c')
case(TWO, 'a backslash in the path', 'https://gate.example/a\\b', sent='https://gate.example/a/b')
case(TWO, 'a fragment', 'https://gate.example/a#b?c=d')
case(TWO, 'a fragment after a query', 'https://gate.example/a?c=d#e=f')
case(TWO, 'an empty query', 'https://gate.example/a?')
case(TWO, 'user name and password', 'https://user:pass@gate.example/a')
case(TWO, 'an IPv4 address', 'http://127.0.0.1:8080/a')
case(TWO, 'an IPv6 address', 'http://[::1]:8080/a')
case(TWO, 'an IPv6 address on the default port', 'https://[2001:db8::1]:443/a')
case(TWO, 'an IPv6 address written at length', 'https://[2001:DB8:0:0:0:0:0:1]/a', sent='https://[2001:db8::1]/a')
case(TWO, 'an international host', 'https://bücher.example/a',
     sent='https://' + 'bücher.example'.encode('idna').decode() + '/a')
case(TWO, 'an international host in capitals', 'https://BÜCHER.example/a', sent='https://xn--bcher-kva.example/a')
case(TWO, 'a host with a final dot', 'https://gate.example./a')

GATHER = '3.4.1.3.1'
case(GATHER, 'query, form and header together', GATE + '?q=1', 'f=2', header=OAUTH)
case(GATHER, '+ in the query is a space', GATE + '?a=1+2')
case(GATHER, '%2B in the query is a plus', GATE + '?a=1%2B2')
case(GATHER, '+ in a form is a space', form='a=1+2&b+c=3')
case(GATHER, 'a plus in a decoded value', pairs=[['phone', '+7 900']])
case(GATHER, 'a percent sign in a decoded value', pairs=[['a', '50 %'], ['b', '%20']])
case(GATHER, 'an escaped percent sign', GATE + '?a=%2520', 'b=%2525')
case(GATHER, 'an empty value', form='a=&b=1')
case(GATHER, 'a name without =', form='a&b=1')
case(GATHER, 'an empty name', form='=1&a=2')
case(GATHER, 'an empty name and value', form='=&a=2')
case(GATHER, 'empty pieces', GATE + '?&a=1&&b=2&', '&c=3&')
case(GATHER, '= in a value', form='a=b=c&d==')
case(GATHER, 'escaped = and & in a name', form='a%3Db%26=1')
case(GATHER, 'a semicolon is part of a value', GATE + '?a=1;b=2')
case(GATHER, 'a question mark in the query', GATE + '?a=?&b=c/d')
case(GATHER, 'raw characters in the query', GATE + '?a=é "b"', sent=GATE + '?a=%C3%A9%20%22b%22')
case(GATHER, 'an apostrophe in the query', GATE + "?a=it's", sent=GATE + '?a=it%27s')
case(GATHER, 'the same name in query and form', GATE + '?a=2', 'a=1')
case(GATHER, 'the same name and value in query and form', GATE + '?a=1', 'a=1')
case(GATHER, 'realm of the header is left out', header='OAuth realm="Example", oauth_nonce="n"')
case(GATHER, 'realm of the form is covered', form='realm=Example', header='OAuth oauth_nonce="n"')
case(GATHER, 'oauth_signature of the header is left out', header='OAuth oauth_nonce="n", oauth_signature="s%3D"')
case(GATHER, 'an empty oauth_token is covered', header='OAuth oauth_nonce="n", oauth_token=""')
case(GATHER, 'a header parameter of your own is covered', header='OAuth oauth_nonce="n", oauth_callback="oob", scope="a%20b"')

SORT = '3.4.1.3.2'
case(SORT, "the RFC's order", form='a2=r%20b&a3=2%20q&a3=a&b5=%3D%253D&c%40=&c2=')
case(SORT, 'repeated names by value', form='a=2&a=10&a=1&a=')
case(SORT, 'repeated names and values', form='a=1&a=1&a=1')
case(SORT, 'by bytes, capitals first', form='b=1&a=1&B=1&A=1&_=1&0=1&-=1&.=1&~=1')
case(SORT, 'by encoded name', pairs=[['a', '1'], ['é', '2'], ['{', '3'], ['A', '4'], ['~', '5']])
case(SORT, 'by encoded value', pairs=[['a', 'z'], ['a', 'é'], ['a', '{'], ['a', 'Z'], ['a', ' ']])
case(SORT, 'a name that begins another', form='a-=1&a=2&a%20=3&aa=4&a.=5')
case(SORT, 'numbers in names as text', form='a10=1&a9=2&a1=3')
case(SORT, 'astral characters after the last of the BMP', pairs=[['🛒', '1'], ['\uffee', '2'], ['a', '🛒'], ['a', '\uffee']])
case(SORT, 'names of Object.prototype', form='toString=1&constructor=2&__proto__=3&hasOwnProperty=4&valueOf=5')
case(SORT, '__proto__ twice', form='__proto__=b&__proto__=a')
case(SORT, 'names that are indices', form='2=a&10=b&1=c&01=d')

SIX = '3.6'
case(SIX, 'every printable character', pairs=[['a', ''.join(map(chr, range(32, 127)))]])
case(SIX, "what encodeURIComponent leaves alone", pairs=[["!'()*", "-._~!'()*"]])
case(SIX, 'a space twice encoded', pairs=[['order_desc', 'a gift for you']])
case(SIX, 'letters of two, three and four bytes', pairs=[['a', 'é日🛒']])
case(SIX, 'a family of joined emoji', pairs=[['a', '👩‍👩‍👧']])
case(SIX, 'composed and decomposed letters stay apart', pairs=[['a', 'é'], ['a', 'e\u0301']])
case(SIX, 'control characters', pairs=[['a', '\x00\t\r\n\x7f']])
case(SIX, 'a byte order mark', pairs=[['a', '\ufeffb']])


def compare_with_oauthlib(given, sent, made):
    """@returns what oauthlib makes of the same request, where it differs."""
    from oauthlib.oauth1.rfc5849 import signature
    pairs = decoded(given['form']) + [tuple(pair) for pair in given['pairs']]
    headers = {'Authorization': given['header']} if given['header'] else {}
    collected = signature.collect_parameters(urlsplit(sent).query, pairs, headers)
    theirs = signature.normalize_parameters(collected)
    uri = signature.base_string_uri(sent)
    text = signature.signature_base_string(given['method'], uri, theirs)
    return None if text == made['baseString'] else text


if __name__ == '__main__':
    corpus = [{'name': name, 'section': section, 'input': given, 'expected': expected(given, sent)}
              for section, name, given, sent in CASES]
    with open('../rfc5849-corpus.json', 'w', encoding='utf-8') as file:
        json.dump(corpus, file, ensure_ascii=True, indent=2)
        file.write('\n')
    print(f'{len(corpus)} cases')
    if '--oauthlib' in sys.argv:
        for section, name, given, sent in CASES:
            try:
                theirs = compare_with_oauthlib(given, sent, expected(given, sent))
            except Exception as error:
                theirs = f'{type(error).__name__}: {error}'
            if theirs is not None:
                print(f'oauthlib differs: {section} {name}: {theirs}')

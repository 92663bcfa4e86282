"""Makes control.json and oauth.json with Python's hashlib, hmac and urllib, and RSA signatures with openssl.

Run in this folder: python3 make-vectors.py. It shares nothing with the code it guards.
"""
import base64
import hashlib
import hmac
import json
import subprocess
from urllib.parse import quote

KEY = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'


def write(name, vectors):
    with open(name, 'w', encoding='utf-8') as file:
        json.dump(vectors, file, ensure_ascii=False, indent=2)
        file.write('\n')


SALE = {'endpointId': '39', 'clientOrderId': 'order-7', 'amount': '1000', 'email': 'anna@example.com'}
ACCOUNT = {'endpointId': '39', 'clientOrderId': 'order-7', 'email': 'anna@example.com'}
CHANGE = {'login': 'merchant', 'clientOrderId': 'order-7', 'orderId': '9223372036854775807', 'amount': '250', 'currency': 'EUR'}
WHOLE = {**CHANGE, 'amount': '', 'currency': ''}
ORDER = {'login': 'merchant', 'clientOrderId': 'order-7', 'orderId': '6768788'}
ROWS = [
    ('sale', 'sale', SALE), ('sale-form', 'saleForm', SALE), ('preauth', 'preauth', SALE), ('preauth-form', 'preauthForm', SALE),
    ('account-verification', 'accountVerification', ACCOUNT), ('account-verification-form', 'accountVerificationForm', ACCOUNT),
    ('capture, partial', 'capture', CHANGE), ('capture, whole', 'capture', WHOLE),
    ('return, partial', 'return', CHANGE), ('return, whole', 'return', WHOLE),
    ('make-rebill', 'makeRebill', {'login': 'merchant', 'clientOrderId': 'order-8', 'cardRefId': '1523', 'amount': '94', 'currency': 'USD'}),
    ('create-card-ref', 'createCardRef', ORDER), ('void', 'void', ORDER), ('status', 'status', ORDER),
    ('status without orderid', 'status', {**ORDER, 'orderId': ''}),
    ('upload-cres-result', 'uploadCresResult', ORDER), ('upload-method-url-result', 'uploadMethodUrlResult', ORDER),
    ('upload-pares-result', 'uploadParesResult', ORDER),
    ('get-card-info (assumed)', 'getCardInfo', {'login': 'merchant', 'cardRefId': '1523'}),
    ('payment-form (assumed)', 'paymentForm', SALE),
    ('callback (assumed)', 'callback', {'status': 'approved', 'orderId': '6768788', 'merchantOrderId': 'order-7'}),
    ('browser return (assumed)', 'browserReturn', {'status': 'declined', 'orderId': '6768788', 'clientOrderId': 'order-7'}),
    ('text beyond ASCII', 'sale', {**SALE, 'clientOrderId': 'Größe-日本-🛒'}),
]
write('control.json', [
    {
        'name': name,
        'source': "make-vectors.py: hashlib.sha1 of the values and the key, joined",
        'input': {'operation': operation, 'values': values, 'controlKey': KEY},
        'expected': hashlib.sha1((''.join(values.values()) + KEY).encode('utf-8')).hexdigest(),
    }
    for name, operation, values in ROWS
])


def enc(text):
    return quote(text, safe='-._~')


def rsa(base_string):
    """openssl dgst -sha256 -sign rsa-test-key.pem, the base string on standard input."""
    command = ['openssl', 'dgst', '-sha256', '-sign', 'rsa-test-key.pem']
    return subprocess.run(command, input=base_string.encode(), stdout=subprocess.PIPE, check=True).stdout


def mac(base_string):
    return hmac.new((enc(KEY) + '&').encode(), base_string.encode(), hashlib.sha1).digest()


def oauth(name, method, address, parameters):
    protocol = [
        ['oauth_consumer_key', 'merchant'], ['oauth_nonce', 'y3qlvMPky7g'], ['oauth_signature_method', method],
        ['oauth_timestamp', '1669966913'], ['oauth_version', '1.0'],
    ]
    pairs = sorted((enc(key), enc(value)) for key, value in parameters + protocol)
    joined = '&'.join(f'{key}={value}' for key, value in pairs)
    base_string = '&'.join(['POST', enc(address), enc(joined)])
    signature = base64.b64encode(mac(base_string) if method == 'HMAC-SHA1' else rsa(base_string)).decode()
    tool = 'hmac.new(key + "&", base string, sha1)' if method == 'HMAC-SHA1' else 'openssl dgst -sha256 -sign rsa-test-key.pem'
    header = ', '.join(f'{key}="{enc(value)}"' for key, value in protocol + [['oauth_signature', signature]])
    return {
        'name': name,
        'source': f'make-vectors.py: urllib.parse.quote, {tool}',
        'input': {'method': method, 'url': address, 'parameters': parameters, 'consumerKey': 'merchant',
                  'nonce': 'y3qlvMPky7g', 'timestamp': 1669966913, 'controlKey': KEY},
        'expected': {'baseString': base_string, 'signature': signature, 'header': f'OAuth {header}'},
    }


GATE = 'https://gate.example/paynet/api/'
PAYOUT = [['client_orderid', 'payout-1'], ['amount', '10.00'], ['currency', 'EUR'], ['order_desc', 'Bücher & Tee (50 %)*']]
PHONE = [['client_orderid', 'fps-1'], ['amount', '100.00'], ['currency', 'RUB'], ['phone', '+7 900 000-00-00']]
TRANSFER = [
    ['client-order-id', 'transfer-1'], ['amount', '1.00'], ['currency', 'USD'], ['order_desc', "Anna's gift!"],
    ['destination-card-no', '4444444444444448'],
]
write('oauth.json', [
    oauth('payout', 'HMAC-SHA1', GATE + 'v2/payout/39', PAYOUT),
    oauth('payout to a phone number', 'HMAC-SHA1', GATE + 'v2/payout/39', PHONE),
    oauth('pan-eligibility send', 'HMAC-SHA1', GATE + 'v2/pan-eligibility/send/39',
          [['client-order-id', '1234567890'], ['sending-card-ref-id', '7654321']]),
    oauth('no body at all', 'HMAC-SHA1', GATE + 'v2/payout/39', []),
    oauth('repeated and empty values', 'HMAC-SHA1', 'http://127.0.0.1:8080/paynet/api/v2/payout/39',
          [['a', 'b'], ['a', 'B'], ['A', 'a'], ['a', ''], ['a-', '='], ['a', 'a&b=c'], ['~', '🛒']]),
    oauth('transfer-by-ref', 'RSA-SHA256', GATE + 'v4/transfer-by-ref/39', TRANSFER),
    oauth('payout v4', 'RSA-SHA256', GATE + 'v4/payout/39', PAYOUT + [['account_number', 'DE00'], ['bank_name', 'Bank 1']]),
    oauth('payout-check', 'RSA-SHA256', GATE + 'v4/payout-check/39', PAYOUT),
])

"""Writes requests.json: requests of each operation, the exact bytes they must be sent as, a reply, and what it must be read as.

Wire names and order of the pairs are typed in by hand from the specification (sections 2, 4 and 5) and, where that is
silent, from the public pages that the wire profile names as its sources. Control values are hashlib's, HMAC-SHA1 is
hmac's, RSA-SHA256 is openssl's, the encoding is urllib's. Nothing here comes from the code it guards.

Run in this folder: python3 make-requests.py
"""
import base64
import hashlib
import hmac
import json
import subprocess
from urllib.parse import quote

ORIGIN = 'https://gate.example'
PREFIX = '/paynet'
OURS = {'login': 'merchant', 'controlKey': 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20', 'endpoint': '9223372036854775807'}
# Section 5.2, step 3: the control key is part of the signing key as it is, whatever it holds.
THEIRS = {'login': 'second & co', 'controlKey': 'key of+the second=merchant', 'endpoint': '40'}
NONCE = 'y3qlvMPky7g'
TIMESTAMP = '1767323045'
PRIVATE_KEY = '../../../signing/test/vectors/rsa-test-key.pem'

vectors = []


def enc(text):
    return quote(text, safe='-._~')


def hmac_sha1(base_string, merchant):
    key = merchant['controlKey'] + '&'
    return hmac.new(key.encode(), base_string.encode(), hashlib.sha1).digest()


def rsa_sha256(base_string, _merchant):
    command = ['openssl', 'dgst', '-sha256', '-sign', PRIVATE_KEY]
    return subprocess.run(command, input=base_string.encode(), stdout=subprocess.PIPE, check=True).stdout


METHODS = {'HMAC-SHA1': hmac_sha1, 'RSA-SHA256': rsa_sha256}


def authorization(method, url, pairs, merchant):
    """Section 5.2: base string and signature. No order is asked of the header; ours ends with the signature."""
    oauth = [
        ('oauth_consumer_key', merchant['login']), ('oauth_nonce', NONCE), ('oauth_signature_method', method),
        ('oauth_timestamp', TIMESTAMP), ('oauth_version', '1.0'),
    ]
    normalized = '&'.join('='.join(pair) for pair in sorted((enc(n), enc(v)) for n, v in pairs + oauth))
    base_string = '&'.join(['POST', enc(url), enc(normalized)])
    signature = base64.b64encode(METHODS[method](base_string, merchant)).decode()
    header = oauth + [('oauth_signature', signature)]
    return 'OAuth ' + ', '.join(f'{name}="{enc(value)}"' for name, value in header)


ASYNC = {
    'type': 'async-response', 'serial-number': '00000000-0000-0000-0000-000002d9b22a', 'merchant-order-id': 'o-1',
    'paynet-order-id': 9223372036854775806, 'end-point-id': '39',
}
ASYNC_RECORD = {
    'type': 'async-response', 'serialNumber': '00000000-0000-0000-0000-000002d9b22a', 'clientOrderId': 'o-1',
    'orderId': '9223372036854775806', 'endpointId': '39',
}
# Requests that carry an order id get it back.
CHANGED = {**ASYNC, 'paynet-order-id': '77'}
CHANGED_RECORD = {**ASYNC_RECORD, 'orderId': '77'}
FORM = {**ASYNC, 'type': 'async-form-response', 'redirect-url': 'https://gate.example/paynet/form/5f3a'}
FORM_RECORD = {**ASYNC_RECORD, 'type': 'async-form-response', 'redirectUrl': 'https://gate.example/paynet/form/5f3a'}


def add(name, path, pairs, *, title, items=None, oauth=None, login=False, reply=(ASYNC, ASYNC_RECORD), merchant=OURS,
        endpoint=None, options=None):
    """`pairs`: field, wire name, value. `items`: what the control value covers, without the key. Else `oauth`: a method."""
    endpoint = endpoint or merchant['endpoint']
    written = [(wire, value if isinstance(value, str) else str(value).lower()) for _, wire, value in pairs]
    body = ([('login', merchant['login'])] if login else []) + written
    url = f'{ORIGIN}{PREFIX}{path}/{endpoint}'
    headers = {
        'host': 'gate.example', 'accept': 'application/vnd.pay+json',
        # RFC 9110 section 12.5.3: without this field a server may compress its answer.
        'accept-encoding': 'identity', 'content-type': 'application/x-www-form-urlencoded',
    }
    if items is not None:
        joined = ''.join(items) + merchant['controlKey']
        body.append(('control', hashlib.sha1(joined.encode('utf-8')).hexdigest()))
    if oauth is not None:
        headers['authorization'] = authorization(oauth, url, body, merchant)
    text = '&'.join(f'{enc(n)}={enc(v)}' for n, v in body)
    headers['content-length'] = str(len(text))
    vectors.append({
        'operation': name,
        'title': title,
        'request': {field: value for field, _, value in pairs},
        **({} if options is None else {'options': options}),
        'expected': {'line': f'POST {url.removeprefix(ORIGIN)} HTTP/1.1', 'headers': headers, 'body': text},
        'reply': json.dumps(reply[0], ensure_ascii=False),
        'record': reply[1],
    })


def same(*names):
    """Fields that are called the same on the wire."""
    return [(name, name, value) for name, value in names]


# Fields, each with its wire name. Section 2 and, from the fifth on, the public pages of the commands.
ORDER = [('clientOrderId', 'client_orderid', 'o-1')]
HYPHENATED = [('clientOrderId', 'client-order-id', 'o-1')]
DESCRIPTION = [('orderDesc', 'order_desc', '1 × tea "Ceylon" (100%)')]
MONEY = same(('amount', '10.42'), ('currency', 'EUR'))
EMAIL = same(('email', 'john+1@example.com'))
CARD = [
    ('creditCardNumber', 'credit_card_number', '4444444444444448'),
    ('cardPrintedName', 'card_printed_name', "Zoë O'Brien"),
    ('expireMonth', 'expire_month', '12'),
    ('expireYear', 'expire_year', '2099'),
    ('cvv2', 'cvv2', '123'),
]
IP = [('ipAddress', 'ipaddress', '203.0.113.7')]
CUSTOMER = IP + [
    ('firstName', 'first_name', 'Zoë'), ('lastName', 'last_name', "O'Brien"), ('address1', 'address1', '5 High St.'),
    ('city', 'city', 'Köln'), ('state', 'state', 'NW'), ('zipCode', 'zip_code', '10115'), ('country', 'country', 'DE'),
    ('phone', 'phone', '+49 30 1234'), ('cellPhone', 'cell_phone', '+491'), ('ssn', 'ssn', '1267'),
    ('birthday', 'birthday', '19841231'),
]
BACK = [('redirectUrl', 'redirect_url', 'https://shop.example/back?a=1&b=2')]
CALLBACK = [('serverCallbackUrl', 'server_callback_url', 'https://shop.example/callback?x=~*()!')]
NOTIFY = [('notifyUrl', 'notify_url', 'https://shop.example/notify')]
RESULT_PAGES = [
    ('redirectSuccessUrl', 'redirect_success_url', 'https://shop.example/paid'),
    ('redirectFailUrl', 'redirect_fail_url', 'https://shop.example/not-paid'),
]
PURPOSE = same(('purpose', 'user@shop.example'))
MORE = NOTIFY + [('siteUrl', 'site_url', 'https://shop.example/')] + PURPOSE + same(('destination', 'a&b')) + [
    ('merchantData', 'merchant_data', 'free = data'),
]
BROWSER = [
    ('customerBrowserInfo', 'customer_browser_info', True),
    ('customerBrowserAcceptHeader', 'customer_browser_accept_header', '*/*'),
    ('customerBrowserUserAgent', 'customer_browser_user_agent', 'Mozilla/5.0 (X11; Linux)'),
    ('customerBrowserJavascriptEnabled', 'customer_browser_javascript_enabled', True),
    ('customerBrowserJavaEnabled', 'customer_browser_java_enabled', False),
    ('customerBrowserAcceptLanguage', 'customer_browser_accept_language', 'en-GB,en;q=0.9'),
    ('customerBrowserColorDepth', 'customer_browser_color_depth', '24'),
    ('customerBrowserScreenWidth', 'customer_browser_screen_width', '1920'),
    ('customerBrowserScreenHeight', 'customer_browser_screen_height', '1080'),
    ('customerBrowserTimeZone', 'customer_browser_time_zone', '-60'),
]
IDS = ORDER + [('orderId', 'orderid', '77')]
TDS_IDS = HYPHENATED + [('orderId', 'orderid', '77')]
COMMENT = same(('comment', 'wrong size & colour'))
CARD_REF = [('cardRefId', 'cardrefid', '31')]
MINIMAL, FULL = {'title': 'what it needs'}, {'title': 'every field'}

# Section 5.1: what control values cover. Amounts in cents.
sale_items = [OURS['endpoint'], 'o-1', '1042', 'john+1@example.com']
verification_items = [OURS['endpoint'], 'o-1', 'john+1@example.com']
order_items = [OURS['login'], 'o-1', '77']
part_items = order_items + ['1042', 'EUR']
changed = {'items': order_items, 'login': True, 'reply': (CHANGED, CHANGED_RECORD)}

# 3DS uploads
add('uploadCresResult', '/api/3ds/v1/upload-cres-result', TDS_IDS + same(('cres', 'eyJhIjoi/+')), **FULL, **changed)
COMP_IND = same(('threeDSCompInd', 'N'))
add('uploadMethodUrlResult', '/api/3ds/v1/upload-method-url-result', TDS_IDS + COMP_IND, **MINIMAL, **changed)
add('uploadMethodUrlResult', '/api/3ds/v1/upload-method-url-result', TDS_IDS + COMP_IND + [
    ('threeDSServerTransId', 'threeDSServerTransID', '6f1c0a9e-5d2f-4a7b-8c3d-1e2f3a4b5c6d'),
    ('browserAcceptHeader', 'browserAcceptHeader', 'text/html,*/*;q=0.8'), ('browserIp', 'browserIP', '::1'),
    ('browserJavaEnabled', 'browserJavaEnabled', False), ('browserJavascriptEnabled', 'browserJavascriptEnabled', True),
    ('browserLanguage', 'browserLanguage', 'en-GB'), ('browserColorDepth', 'browserColorDepth', '24'),
    ('browserScreenHeight', 'browserScreenHeight', '1080'), ('browserScreenWidth', 'browserScreenWidth', '1920'),
    ('browserTimeZone', 'browserTZ', '-60'), ('browserUserAgent', 'browserUserAgent', 'Mozilla/5.0'),
], **FULL, **changed)
PARES = [('paRes', 'paRes', 'eJw=')]
add('uploadParesResult', '/api/3ds/v1/upload-pares-result', TDS_IDS + PARES, **MINIMAL, **changed)
add('uploadParesResult', '/api/3ds/v1/upload-pares-result', TDS_IDS + PARES + same(('md', 'm d')), **FULL, **changed)

# Payments
form = {'reply': (FORM, FORM_RECORD)}
REST = DESCRIPTION + CUSTOMER + RESULT_PAGES + CALLBACK + MORE + BROWSER
path = '/api/v2/account-verification-form'
add('accountVerificationForm', path, ORDER + EMAIL + BACK, items=verification_items, **MINIMAL, **form)
add('accountVerificationForm', path, ORDER + EMAIL + BACK + REST, items=verification_items, **FULL, **form)
add('accountVerification', '/api/v2/account-verification', ORDER + EMAIL + CARD, items=verification_items, **MINIMAL)
add('accountVerification', '/api/v2/account-verification', ORDER + EMAIL + CARD + BACK + REST, items=verification_items, **FULL)
for name, path in [('saleForm', '/api/v2/sale-form'), ('preauthForm', '/api/v2/preauth-form'), ('paymentForm', '/api/v2/payment-form')]:
    add(name, path, ORDER + MONEY + EMAIL + BACK, items=sale_items, **MINIMAL, **form)
    add(name, path, ORDER + MONEY + EMAIL + BACK + REST, items=sale_items, **FULL, **form)
for name, path in [('sale', '/api/v2/sale'), ('preauth', '/api/v2/preauth')]:
    add(name, path, ORDER + MONEY + EMAIL + CARD, items=sale_items, **MINIMAL)
    add(name, path, ORDER + MONEY + EMAIL + CARD + BACK + REST, items=sale_items, **FULL)
    # Section 4, create-card-ref: "sale-by-reference calls". The request field is that of section 2; the items are the same.
    add(name, path, ORDER + MONEY + EMAIL + CARD_REF, items=sale_items, title='a card reference')
    add(name, path, ORDER + MONEY + EMAIL + CARD_REF + CARD[4:], items=sale_items, title='a card reference and the code on the card')
rebill_items = [OURS['login'], 'o-1', '31', '1042', 'EUR']
add('makeRebill', '/api/v2/make-rebill', ORDER + CARD_REF + MONEY, items=rebill_items, login=True, **MINIMAL)
add('makeRebill', '/api/v2/make-rebill', ORDER + CARD_REF + MONEY + DESCRIPTION + IP + [
    ('enumerateAmounts', 'enumerate_amounts', '10.42,5.00'), ('recurrentScenario', 'recurrent_scenario', 'REGULAR'),
    ('recurrentInitiator', 'recurrent_initiator', 'MERCHANT'),
    ('cvv2', 'cvv2', '123'),
] + COMMENT + CALLBACK + NOTIFY, items=rebill_items, login=True, **FULL)

# Changes of an order, and questions about it
add('capture', '/api/v2/capture', IDS, title='the whole', **changed)
add('return', '/api/v2/return', IDS, title='the whole', **changed)
part = {**changed, 'items': part_items}
add('capture', '/api/v2/capture', IDS + MONEY + CALLBACK, **FULL, **part)
add('return', '/api/v2/return', IDS + MONEY + COMMENT + CALLBACK, **FULL, **part)
YEN = {'items': order_items + ['1042', 'JPY'], 'login': True, 'reply': (CHANGED, CHANGED_RECORD)}
add('return', '/api/v2/return', IDS + same(('amount', '1042'), ('currency', 'JPY')), title='a currency without fraction', **YEN)
DINAR = {**YEN, 'items': order_items + ['1250', 'KWD']}
add('return', '/api/v2/return', IDS + same(('amount', '1.250'), ('currency', 'KWD')), title='a currency of three digits', **DINAR)
add('void', '/api/v2/void', IDS, **MINIMAL, **changed)
add('void', '/api/v2/void', IDS + COMMENT + CALLBACK, **FULL, **changed)
STATUS = {
    'type': 'status-response', 'serial-number': '5', 'merchant-order-id': 'o-1', 'paynet-order-id': '77',
    'by-request-sn': '4', 'status': 'declined', 'amount': '10.5', 'initial-amount': '12.5', 'currency': 'EUR', 'transaction-type': 'sale',
    'order-stage': 'sale_declined', 'card-type': 'VISA', 'bin': '444444', 'last-four-digits': '4448',
    'cardholder-name': 'Z O', 'card-exp-month': '12', 'card-exp-year': '2099', 'card-hash-id': '9', 'card-ref-id': '31',
    'bank-name': 'Bank', 'dest-bin': '555555', 'dest-last-four-digits': '4444', 'dest-card-type': 'MC',
    'dest-bank-name': 'Bank 2', 'destination-hash-id': '10', 'destination-card-ref-id': '32', 'phone': '+49',
    'email': 'a@b.example', 'processor-tx-id': 'PN1', 'processor-rrn': '510', 'processor-credit-rrn': '511',
    'processor-credit-arn': '512', 'processor-debit-arn': '513', 'processor-auth-credit-code': '514',
    'approval-code': '9R', 'auth-response-code': '51', 'terminal-id': 'T1',
    'paynet-processing-date': '2015-04-09 17:14:26 MSK', 'acquirer-processing-date': '2015-04-09 17:14:27 MSK',
    'original-gate-descriptor': 'GATE', 'card-country-alpha-three-code': 'DEU', 'first-name': 'Z', 'last-name': 'O',
    'descriptor': 'SHOP', 'receipt-id': 'r', 'gate-partial-reversal': 'enabled', 'gate-partial-capture': 'disabled',
    'verified-3d-status': 'AUTHENTICATED', 'verified-rsc-status': 'UNKNOWN', 'html': '<p>', 'redirect-to': 'https://a.example/',
    'tds_status': 'MethodUrlFrame', 'tds-method-url-frame-3ds-method-url': 'https://acs.example/', 'loyalty-balance': '1',
    'loyalty-message': 'm', 'loyalty-bonus': '2', 'loyalty-program': 'p', 'ips-src-payment-product-code': 'c1',
    'ips-src-payment-product-name': 'n1', 'ips-src-payment-type-code': 'c2', 'ips-src-payment-type-name': 'n2',
    'error-code': 101, 'error-message': 'Decline', 'merchantdata': 'free', 'bank_message': 'no', 'filter_message': 'f',
    'fraud_message': 'g', 'end-point-id': '39',
}
STATUS_RECORD = {
    'type': 'status-response', 'serialNumber': '5', 'clientOrderId': 'o-1', 'orderId': '77', 'byRequestSn': '4',
    'status': 'declined', 'amount': '10.5', 'initialAmount': '12.5', 'currency': 'EUR', 'transactionType': 'sale', 'orderStage': 'sale_declined',
    'cardType': 'VISA', 'bin': '444444', 'lastFourDigits': '4448', 'cardholderName': 'Z O', 'expireMonth': '12',
    'expireYear': '2099', 'cardHashId': '9', 'cardRefId': '31', 'bankName': 'Bank', 'destinationBin': '555555',
    'destinationLastFourDigits': '4444', 'destinationCardType': 'MC', 'destinationBankName': 'Bank 2',
    'destinationCardHashId': '10', 'destinationCardRefId': '32', 'phone': '+49', 'email': 'a@b.example',
    'processorTxId': 'PN1', 'processorRrn': '510', 'processorCreditRrn': '511', 'processorCreditArn': '512',
    'processorDebitArn': '513', 'processorAuthCreditCode': '514', 'approvalCode': '9R', 'authResponseCode': '51',
    'terminalId': 'T1', 'processingDate': '2015-04-09 17:14:26 MSK', 'acquirerProcessingDate': '2015-04-09 17:14:27 MSK',
    'originalDescriptor': 'GATE', 'cardCountry': 'DEU', 'firstName': 'Z', 'lastName': 'O',
    'descriptor': 'SHOP', 'receiptId': 'r', 'gatePartialReversal': 'enabled', 'gatePartialCapture': 'disabled',
    'verified3dStatus': 'AUTHENTICATED', 'verifiedRscStatus': 'UNKNOWN', 'html': '<p>', 'redirectTo': 'https://a.example/',
    'tdsStatus': 'MethodUrlFrame', 'tdsMethodUrl': 'https://acs.example/', 'loyaltyBalance': '1', 'loyaltyMessage': 'm',
    'loyaltyBonus': '2', 'loyaltyProgram': 'p', 'paymentProductCode': 'c1', 'paymentProductName': 'n1',
    'paymentTypeCode': 'c2', 'paymentTypeName': 'n2', 'errorCode': '101', 'errorMessage': 'Decline', 'merchantData': 'free',
    'bankMessage': 'no', 'filterMessage': 'f', 'fraudMessage': 'g', 'endpointId': '39',
}
PENDING = {'type': 'status-response', 'serial-number': '5', 'merchant-order-id': 'o-1', 'status': 'processing\n'}
PENDING_RECORD = {'type': 'status-response', 'serialNumber': '5', 'clientOrderId': 'o-1', 'status': 'processing'}
add('status', '/api/v2/status', ORDER, items=[OURS['login'], 'o-1', ''], login=True, reply=(PENDING, PENDING_RECORD), **MINIMAL)
add('status', '/api/v2/status', IDS + [('byRequestSn', 'by-request-sn', '4')], items=order_items, login=True,
    reply=(STATUS, STATUS_RECORD), **FULL)

# Section 4: identified by orderid, or by client_orderid. That its item is then empty is assumed.
add('status', '/api/v2/status', IDS[1:], items=[OURS['login'], '', '77'], login=True, reply=(STATUS, STATUS_RECORD),
    title='the order id of the gateway alone')

# Stored cards
STORED = {'type': 'create-card-ref-response', 'status': 'approved', 'serial-number': '5', 'card-ref-id': 31, 'unq-card-ref-id': '8'}
STORED_RECORD = {'type': 'create-card-ref-response', 'status': 'approved', 'serialNumber': '5', 'cardRefId': '31', 'uniqueCardRefId': '8'}
add('createCardRef', '/api/v2/create-card-ref', IDS, items=order_items, login=True, reply=(STORED, STORED_RECORD), **FULL)
add('createCardRefV4', '/api/v4/create-card-ref', IDS, oauth='RSA-SHA256', login=True,
    reply=({**STORED, 'recurring-payment-id': '6'}, {**STORED_RECORD, 'recurringPaymentId': '6'}), **FULL)
INFO = {'type': 'get-card-info-response', 'serial-number': '5', 'card-printed-name': 'Z O', 'bin': '444444',
        'last-four-digits': '4448', 'expire-year': '2099', 'expire-month': 12, 'result-3d': 'Y', 'card-type': 'VISA'}
INFO_RECORD = {'type': 'get-card-info-response', 'serialNumber': '5', 'cardPrintedName': 'Z O', 'bin': '444444',
               'lastFourDigits': '4448', 'expireYear': '2099', 'expireMonth': '12', 'result3d': 'Y', 'brand': 'VISA',
               'maskedPan': '444444******4448'}
add('getCardInfo', '/api/v2/get-card-info', CARD_REF, items=[OURS['login'], '31'], login=True, reply=(INFO, INFO_RECORD), **FULL)
# Section 4 promises these four and no more.
PROMISED = {'type': 'get-card-info-response', 'bin': '444444', 'card-type': 'VISA', 'masked-pan': '444444******4448',
            'expire-month': '12', 'expire-year': '2099'}
PROMISED_RECORD = {'type': 'get-card-info-response', 'bin': '444444', 'brand': 'VISA', 'maskedPan': '444444******4448',
                   'expireMonth': '12', 'expireYear': '2099'}
add('getCardInfo', '/api/v2/get-card-info', CARD_REF, items=[OURS['login'], '31'], login=True, reply=(PROMISED, PROMISED_RECORD),
    title='a reply of what the specification promises')
SUBSCRIBED = ({'type': 'create-recurring-payment-response', 'serial-number': '5', 'recurring-payment-id': '6'},
              {'type': 'create-recurring-payment-response', 'serialNumber': '5', 'recurringPaymentId': '6'})
SOURCE = [('clientOrderId', 'client-orderid', 'o-1'), ('currency', 'currency', 'EUR'), ('rpCardType', 'rp_card_type', 'SRC'),
          ('creditCardNumber', 'credit-card-number', '4444444444444448')]
subscription = {'oauth': 'RSA-SHA256', 'reply': SUBSCRIBED}
path = '/api/v4/create-recurring-payment'
add('createRecurringPayment', path, SOURCE + same(('amount', '10.42')), **MINIMAL, **subscription)
add('createRecurringPayment', path, SOURCE + [('amountFrom', 'amount-from', '1.00'), ('amountTo', 'amount-to', '9.00')],
    title='a range of amounts', **subscription)
add('createRecurringPayment', path, SOURCE + [('amountSequence', 'amount-sequence', '1.00;2.00')], title='a sequence of amounts',
    **subscription)
add('createRecurringPayment', path, SOURCE + same(('amount', '10.42')) + [
    ('orderDesc', 'order_desc', 'tea club'), ('cardPrintedName', 'card-printed-name', 'Zoë'), ('expireMonth', 'expire-month', '12'),
    ('expireYear', 'expire-year', '2099'), ('cvv2', 'cvv2', '123'), ('period', 'period', 'month'), ('interval', 'interval', '1'),
    ('firstName', 'first-name', 'A'), ('lastName', 'last-name', 'B'), ('email', 'email', 'a@b.example'),
    ('address1', 'address1', '5 High St.'), ('city', 'city', 'Köln'), ('zipCode', 'zip-code', '10115'), ('country', 'country', 'DE'),
    ('customerIp', 'customer-ip', '203.0.113.7'),
], **FULL, **subscription)

# Payouts and transfers
ACCOUNT = [('accountNumber', 'account_number', 'DE02 1203'), ('bankName', 'bank_name', 'A & B')]
PAYOUT = ACCOUNT + [
    ('bankBranch', 'bank_branch', 'Nord'), ('bankCode', 'bank_code', '120'), ('bankProvince', 'bank_province', 'NW'),
    ('bankCity', 'bank_city', 'Köln'), ('bankAddress1', 'bank_address1', 'Ring 1'), ('bankZipCode', 'bank_zip_code', '50667'),
    ('routingNumber', 'routing_number', '021000021'),
] + CARD[:4] + [('phone', 'phone', '+491'), ('firstName', 'first_name', 'Zoë'), ('lastName', 'last_name', 'Q')] + EMAIL \
    + DESCRIPTION + IP + PURPOSE + CALLBACK + NOTIFY
HMAC, RSA = {'oauth': 'HMAC-SHA1'}, {'oauth': 'RSA-SHA256'}
for name, path, order, scheme in [
    ('payout', '/api/v2/payout', ORDER, HMAC), ('payoutV4', '/api/v4/payout', HYPHENATED, RSA),
    ('payoutCheck', '/api/v4/payout-check', HYPHENATED, RSA),
]:
    add(name, path, order + MONEY, **MINIMAL, **scheme)
    add(name, path, order + MONEY + ACCOUNT, title='a bank account', **scheme)
    add(name, path, order + MONEY + CARD[:1], title='a card', **scheme)
    add(name, path, order + MONEY + [('accountNumber', 'account_number', 'wallet-7')], title='an ewallet', **scheme)
    add(name, path, order + MONEY + [('phone', 'phone', '+447700900123')], title='a phone number', **scheme)
    add(name, path, order + MONEY + PAYOUT + ([] if name == 'payout' else BACK), **FULL, **scheme)
add('payoutPay', '/api/v4/payout-pay', IDS + CALLBACK, login=True, reply=(CHANGED, CHANGED_RECORD), **FULL, **RSA)
add('payoutForm', '/api/v2/payout-form', ORDER + MONEY + BACK, **MINIMAL, **HMAC, **form)
add('payoutForm', '/api/v2/payout-form', ORDER + MONEY + BACK + DESCRIPTION + IP + PURPOSE + CALLBACK + NOTIFY, **FULL, **HMAC, **form)
TO = [('destinationCardNo', 'destination-card-no', '4111111111111111')]
add('transfer', '/api/v4/transfer', ORDER + MONEY, **MINIMAL, **RSA)
add('transfer', '/api/v4/transfer', ORDER + MONEY + DESCRIPTION + CARD + [
    ('cardRecurringPaymentId', 'card_recurring_payment_id', '5'),
] + TO + [('destinationCardRecurringPaymentId', 'destination_card_recurring_payment_id', '6'),
          ('deposit2card', 'deposit2card', True)] + IP + BACK + CALLBACK + NOTIFY, **FULL, **RSA)
# Section 2, "Transfer request example fields": fifteen, in the order they are listed there.
EXAMPLE = {wire: (field, wire, value) for field, wire, value in ORDER + MONEY + DESCRIPTION + CARD + TO + IP + BACK + [
    ('cardRecurringPaymentId', 'card_recurring_payment_id', '5'), ('deposit2card', 'deposit2card', False),
    ('destinationCardRecurringPaymentId', 'destination_card_recurring_payment_id', '6')]}
add('transfer', '/api/v4/transfer', [EXAMPLE[wire] for wire in [
    'amount', 'card_printed_name', 'card_recurring_payment_id', 'client_orderid', 'credit_card_number', 'currency', 'cvv2',
    'deposit2card', 'destination-card-no', 'destination_card_recurring_payment_id', 'expire_month', 'expire_year', 'ipaddress',
    'order_desc', 'redirect_url']], title='the fifteen fields of the specification’s example', **RSA)
add('transferByRef', '/api/v4/transfer-by-ref', HYPHENATED + MONEY, **MINIMAL, **RSA)
add('transferByRef', '/api/v4/transfer-by-ref', HYPHENATED + MONEY + DESCRIPTION + TO + [
    ('destinationCardRefId', 'destination-card-ref-id', '32')] + IP + CALLBACK + NOTIFY, **FULL, **RSA)
path = '/api/v2/pan-eligibility/send'
add('panEligibilitySend', path, HYPHENATED, **MINIMAL, **HMAC)
add('panEligibilitySend', path, HYPHENATED + [
    ('sendingCardRefId', 'sending-card-ref-id', '31'), ('sendingCardNumber', 'sending-card-number', '4444444444444448'),
    ('cardPrintedName', 'card-printed-name', 'Zoë'), ('expireMonth', 'expire_month', '12'), ('expireYear', 'expire_year', '2099'),
] + CALLBACK + NOTIFY, **FULL, **HMAC)

# Endpoint groups: the group's id takes the endpoint's place, in the path and in control values.
group = {'title': 'an endpoint group', 'options': {'endpointGroupId': '7'}}
SALE = ORDER + MONEY + EMAIL + CARD
add('sale', '/api/v2/sale/group', SALE, items=['7'] + sale_items[1:], endpoint='7', **group)
add('payout', '/api/v2/payout/group', ORDER + MONEY + ACCOUNT, endpoint='7', **HMAC, **group)
add('payoutV4', '/api/v4/payout/group', HYPHENATED + MONEY + ACCOUNT, endpoint='7', **RSA, **group)
add('uploadCresResult', '/api/3ds/v1/upload-cres-result', TDS_IDS + same(('cres', 'e30')), endpoint='7', **changed, **group)
add('sale', '/api/v2/sale', SALE, items=['41'] + sale_items[1:], endpoint='41', title='another endpoint',
    options={'endpointId': '41'})

# Another merchant: its login, its keys, its endpoint.
other = {'title': 'another merchant', 'merchant': THEIRS, 'options': {'merchant': {
    'login': THEIRS['login'], 'controlKey': THEIRS['controlKey'], 'privateKey': 'rsa-test-key.pem', 'endpointId': '40'}}}
add('sale', '/api/v2/sale', SALE, items=['40'] + sale_items[1:], **other)
add('capture', '/api/v2/capture', IDS, items=[THEIRS['login'], 'o-1', '77'], login=True, reply=(CHANGED, CHANGED_RECORD), **other)
add('payout', '/api/v2/payout', ORDER + MONEY + ACCOUNT, **HMAC, **other)
add('payoutV4', '/api/v4/payout', HYPHENATED + MONEY + ACCOUNT, **RSA, **other)

with open('requests.json', 'w', encoding='utf-8') as file:
    json.dump(vectors, file, ensure_ascii=False, indent=2)
    file.write('\n')

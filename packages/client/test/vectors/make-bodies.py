"""Writes bodies.json: a request of each operation and the exact body it must be sent as.

Wire names and order of the pairs are typed in by hand from the specification (sections 2, 4 and 5.1) and, where that is
silent, from the public pages that the wire profile names as its sources. Control values are hashlib's, the encoding is
urllib's. Nothing here comes from the code it guards.

Run: python3 make-bodies.py > bodies.json
"""
import hashlib
import json
from urllib.parse import quote

KEY = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
LOGIN = 'merchant'
ENDPOINT = '9223372036854775807'

CARD = [
    ('creditCardNumber', 'credit_card_number', '4444444444444448'),
    ('cardPrintedName', 'card_printed_name', "Zoë O'Brien"),
    ('expireMonth', 'expire_month', '12'),
    ('expireYear', 'expire_year', '2099'),
    ('cvv2', 'cvv2', '123'),
]
ORDER = [('clientOrderId', 'client_orderid', 'o-1')]
HYPHENATED = [('clientOrderId', 'client-order-id', 'o-1')]
MONEY = [('amount', 'amount', '10.42'), ('currency', 'currency', 'EUR')]
EMAIL = [('email', 'email', 'john+1@example.com')]
BACK = [('redirectUrl', 'redirect_url', 'https://shop.example/back?a=1&b=2')]
IDS = ORDER + [('orderId', 'orderid', '77')]
TDS_IDS = HYPHENATED + [('orderId', 'orderid', '77')]

operations = []


def add(name, path, pairs, items=None, login=False):
    """`items`: values joined for the control value, without the key; None for OAuth."""
    body = ([('login', LOGIN)] if login else []) + [(wire, value) for _, wire, value in pairs]
    if items is not None:
        body.append(('control', hashlib.sha1((''.join(items) + KEY).encode('utf-8')).hexdigest()))
    operations.append({
        'name': name,
        'path': f'/paynet{path}/{ENDPOINT}',
        'request': {field: value == 'true' if field == 'deposit2card' else value for field, _, value in pairs},
        'body': '&'.join(f"{quote(n, safe='-._~')}={quote(v, safe='-._~')}" for n, v in body),
        'isSignedWithHeader': items is None,
    })


sale_items = [ENDPOINT, 'o-1', '1042', 'john+1@example.com']
check_items = [ENDPOINT, 'o-1', 'john+1@example.com']
change_items = [LOGIN, 'o-1', '77']

add('uploadCresResult', '/api/3ds/v1/upload-cres-result', TDS_IDS + [('cres', 'cres', 'eyJhIjoi/+')], change_items, True)
add('uploadMethodUrlResult', '/api/3ds/v1/upload-method-url-result',
    TDS_IDS + [('threeDSCompInd', 'threeDSCompInd', 'N'),
               ('threeDSServerTransId', 'threeDSServerTransID', '6f1c'), ('browserIp', 'browserIP', '::1'),
               ('browserTimeZone', 'browserTZ', '-60')], change_items, True)
add('uploadParesResult', '/api/3ds/v1/upload-pares-result',
    TDS_IDS + [('paRes', 'paRes', 'eJw='), ('md', 'md', 'm d')], change_items, True)
add('accountVerificationForm', '/api/v2/account-verification-form', ORDER + EMAIL + BACK, check_items)
add('accountVerification', '/api/v2/account-verification', ORDER + EMAIL + CARD, check_items)
add('capture', '/api/v2/capture', IDS + MONEY, [LOGIN, 'o-1', '77', '1042', 'EUR'], True)
add('createCardRef', '/api/v2/create-card-ref', IDS, change_items, True)
add('getCardInfo', '/api/v2/get-card-info', [('cardRefId', 'cardrefid', '31')], [LOGIN, '31'], True)
add('makeRebill', '/api/v2/make-rebill', ORDER + [('cardRefId', 'cardrefid', '31')] + MONEY,
    [LOGIN, 'o-1', '31', '1042', 'EUR'], True)
add('paymentForm', '/api/v2/payment-form', ORDER + MONEY + EMAIL + BACK, sale_items)
add('payoutForm', '/api/v2/payout-form', ORDER + MONEY + BACK)
add('payout', '/api/v2/payout', ORDER + MONEY + [('accountNumber', 'account_number', 'DE02 1203'), ('phone', 'phone', '+491')])
add('preauthForm', '/api/v2/preauth-form', ORDER + MONEY + EMAIL + BACK, sale_items)
add('preauth', '/api/v2/preauth', ORDER + MONEY + EMAIL + CARD, sale_items)
add('return', '/api/v2/return', IDS + MONEY + [('comment', 'comment', 'wrong size & colour')],
    [LOGIN, 'o-1', '77', '1042', 'EUR'], True)
add('saleForm', '/api/v2/sale-form', ORDER + MONEY + EMAIL + BACK, sale_items)
add('sale', '/api/v2/sale', ORDER + [('orderDesc', 'order_desc', '1 × tea "Ceylon" (100%)')] + MONEY + EMAIL + CARD
    + [('ipAddress', 'ipaddress', '203.0.113.7'), ('zipCode', 'zip_code', '10115')], sale_items)
add('status', '/api/v2/status', ORDER, [LOGIN, 'o-1', ''], True)
add('void', '/api/v2/void', IDS, change_items, True)
add('createCardRefV4', '/api/v4/create-card-ref', IDS, None, True)
add('createRecurringPayment', '/api/v4/create-recurring-payment',
    [('clientOrderId', 'client-orderid', 'o-1'), ('currency', 'currency', 'EUR'), ('rpCardType', 'rp_card_type', 'SRC'),
     ('creditCardNumber', 'credit-card-number', '4444444444444448'), ('amount', 'amount', '10.42'),
     ('cardPrintedName', 'card-printed-name', 'A B'), ('expireMonth', 'expire-month', '12'),
     ('expireYear', 'expire-year', '2099'), ('period', 'period', 'month'), ('interval', 'interval', '1'),
     ('firstName', 'first-name', 'A'), ('lastName', 'last-name', 'B'), ('zipCode', 'zip-code', '10115'),
     ('customerIp', 'customer-ip', '203.0.113.7')])
add('payoutCheck', '/api/v4/payout-check', HYPHENATED + MONEY + [('accountNumber', 'account_number', '40817')])
add('panEligibilitySend', '/api/v2/pan-eligibility/send',
    HYPHENATED + [('sendingCardRefId', 'sending-card-ref-id', '31')])
add('transfer', '/api/v4/transfer',
    ORDER + MONEY + CARD + [('destinationCardNo', 'destination-card-no', '4111111111111111'),
                            ('deposit2card', 'deposit2card', 'true'),
                            ('cardRecurringPaymentId', 'card_recurring_payment_id', '5'),
                            ('destinationCardRecurringPaymentId', 'destination_card_recurring_payment_id', '6')])
add('transferByRef', '/api/v4/transfer-by-ref',
    HYPHENATED + MONEY + [('orderDesc', 'order_desc', 'pay out'), ('destinationCardNo', 'destination-card-no', '4111111111111111')])
add('payoutV4', '/api/v4/payout', HYPHENATED + MONEY + [('accountNumber', 'account_number', '40817'), ('bankName', 'bank_name', 'A & B')])
add('payoutPay', '/api/v4/payout-pay', IDS, None, True)

print(json.dumps(operations, indent=2, ensure_ascii=False))

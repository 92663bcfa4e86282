"""Makes keys.json with openssl: keys and files that are taken for keys, each with the command that made it.

Run in this folder: python3 make-keys.py. TEST ONLY: whoever reads this repository has these keys.
"""
import base64
import json
import subprocess

KEY = 'rsa-test-key.pem'
ENTRIES = [
    ('pkcs8-der', f'openssl pkcs8 -topk8 -nocrypt -in {KEY} -outform DER'),
    ('pkcs1-der', f'openssl rsa -in {KEY} -traditional -outform DER'),
    ('encrypted-pkcs8', f'openssl pkcs8 -topk8 -v2 aes-256-cbc -in {KEY} -passout pass:open-sesame'),
    ('encrypted-pkcs8-der', f'openssl pkcs8 -topk8 -v2 aes-256-cbc -in {KEY} -passout pass:open-sesame -outform DER'),
    ('encrypted-pkcs1', f'openssl rsa -in {KEY} -traditional -aes256 -passout pass:open-sesame'),
    # Ciphers that OpenSSL 3 reads with its legacy provider only.
    (
        'old-cipher-pkcs8',
        f'openssl pkcs8 -topk8 -v1 PBE-MD5-DES -in {KEY} -passout pass:open-sesame -provider legacy -provider default',
    ),
    (
        'old-cipher-pkcs1',
        f'openssl rsa -in {KEY} -traditional -des -passout pass:open-sesame -provider legacy -provider default',
    ),
    ('public-pkcs1', f'openssl rsa -in {KEY} -RSAPublicKey_out'),
    ('public-der', f'openssl pkey -in {KEY} -pubout -outform DER'),
    ('certificate', f'openssl req -x509 -key {KEY} -subj /CN=test.example -days 36500'),
    ('certificate-der', f'openssl req -x509 -key {KEY} -subj /CN=test.example -days 36500 -outform DER'),
    ('certificate-request', f'openssl req -new -key {KEY} -subj /CN=test.example'),
    ('pkcs12', 'openssl pkcs12 -export -nocerts -inkey rsa-test-key.pem -passout pass:open-sesame'),
    ('rsa-1024', 'openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024'),
    ('rsa-pss', 'openssl genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048'),
    ('ec', 'openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256'),
    ('ec-sec1', 'openssl ecparam -name prime256v1 -genkey -noout'),
    ('ed25519', 'openssl genpkey -algorithm ED25519'),
    ('openssh', f'cp {KEY} copy.pem && chmod 600 copy.pem && ssh-keygen -q -p -N "" -f copy.pem >/dev/null && cat copy.pem; rm copy.pem'),
]


def make(name, command):
    made = subprocess.run(['sh', '-c', command], capture_output=True, check=True).stdout
    binary = name.endswith('-der') or name == 'pkcs12'
    content = {'base64': base64.b64encode(made).decode()} if binary else {'pem': made.decode()}
    return {'name': name, 'command': command, **content}


if __name__ == '__main__':
    with open('keys.json', 'w', encoding='utf-8') as file:
        json.dump([make(*entry) for entry in ENTRIES], file, indent=2)
        file.write('\n')

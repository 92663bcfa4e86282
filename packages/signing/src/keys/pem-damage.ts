/**
 * What settings and shells do to PEM text, and the cure for each. Nothing is repaired silently, because such a key would be found
 * out in production. Windows line breaks, a byte order mark and text around the block are no damage: every reader skips them.
 */

interface Damage {
  readonly applies: (text: string) => boolean
  readonly message: string
}

const damages: readonly Damage[] = [
  {
    applies: text => text.trim() === '',
    message: 'The key is empty. Is the setting or file it is read from missing, or named differently here?',
  },
  {
    applies: text => text.includes('-----BEGIN') && text.includes('\\n'),
    message:
      'The key holds the two characters "\\n" where its line breaks belong: its setting was escaped. Store real line ' +
      "breaks, or write key.replaceAll('\\\\n', '\\n').",
  },
  {
    applies: text => /^\s*(["'`])-----BEGIN/.test(text),
    message: 'The key has quotation marks around it. Remove them from the setting.',
  },
  {
    applies: text => /-----BEGIN [A-Z0-9 ]+-----[ \t]+\S/.test(text),
    message:
      'The key is on one line, with spaces where its line breaks belong: a shell joined them. Quote the variable ("$KEY", ' +
      'not $KEY), or store the key in a file.',
  },
  {
    applies: text => /-----BEGIN [A-Z0-9 ]+-----\S/.test(text),
    message:
      'The key is on one line: its line breaks are missing. Store it as its file is, or as Base64 of the whole file ' +
      '("base64 -w0 key.pem"), decoded with Buffer.from(setting, \'base64\').',
  },
  {
    applies: text => /^[ \t]+-----[BE]/m.test(text),
    message:
      'The lines of the key are indented: in YAML use a block scalar ("|"), or write ' +
      "key.replace(/^[ \\t]+/gm, '').",
  },
  {
    applies: text => /^[\s"']*LS0tLS1CRUdJTi/.test(text),
    message: "The key is Base64 of a PEM file. Decode it first: Buffer.from(setting, 'base64').",
  },
  {
    applies: text => /^[\s"']*MII[A-Za-z0-9+/]/.test(text),
    message:
      'The key is Base64 without the lines "-----BEGIN …-----" and "-----END …-----". Hand over the whole file, or its ' +
      "DER bytes: Buffer.from(setting, 'base64').",
  },
  {
    applies: text => /^\s*(ssh-rsa|ssh-ed25519|ecdsa-)/.test(text),
    message:
      'This is a public key in the format of OpenSSH. Convert it with "ssh-keygen -e -m PKCS8 -f key.pub"; to sign, the ' +
      'private half is needed.',
  },
  {
    applies: text => !text.includes('-----BEGIN'),
    message:
      'This is not a PEM key: it has no line "-----BEGIN …-----". If it is a path, read the file first; if it is DER, ' +
      'hand over its bytes as a Buffer.',
  },
  {
    applies: text => !text.includes('-----END'),
    message: 'The key was cut off: it has no line "-----END …-----". Is the length of settings limited?',
  },
]

/**
 * Names the damage that keeps text from being read as a PEM file.
 *
 * @returns The message of an error, with the cure and without a character of the key; `undefined` when none is seen.
 */
export const pemDamage = (text: string): string | undefined => damages.find(({ applies }) => applies(text))?.message

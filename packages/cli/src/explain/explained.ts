import { defaultProfile, type WireProfile } from '@tillkit/protocol'
import { importPublicKey } from '@tillkit/signing'
import type { ComparedLine, ExplainSignatureOptions } from '@tillkit/signing/explain'
import { maskValue, publicOAuthParameters, type Redaction, redactText, redactValue } from '@tillkit/testing/gateway'

/** What signatures are judged with. It appears in no result. */
export interface Keys {
  readonly controlKey?: string | undefined
  /** The merchant's public key, PEM. */
  readonly publicKey?: string | undefined
  /** Merchant login. */
  readonly login?: string | undefined
  /** How the gateway wants things signed. Default: as the specification says. */
  readonly profile?: WireProfile | undefined
}

/** Something that was pasted, explained, or why it cannot be. Card data is masked. */
export type Explained = ExplainedSignature | { readonly kind: 'unclear'; readonly text: string }

/** A signature, line by line. */
export interface ExplainedSignature {
  readonly kind: 'explained'
  /** What was pasted, in words. */
  readonly about: string
  /** `unjudged`: nothing wrong is seen, but what it would be judged with is missing. */
  readonly verdict: 'right' | 'wrong' | 'unjudged'
  /** The likely mistake, or what else is to be said, in a sentence. */
  readonly says: string
  readonly fix?: string
  /** `ours` is what is right, `theirs` what was signed, where that is known. */
  readonly lines: readonly ComparedLine[]
  /** What is digested or signed when it is right. */
  readonly covered: string
}

/** Said where nothing explains a signature. */
export const noMistake =
  'No single common mistake makes this signature. The key may be another one, or several things differ: compare each line with yours.'

export const unclear = (text: string): Explained => ({ kind: 'unclear', text })

/** How texts and values are masked. @param keys Whatever must not be shown. */
export function maskFor(keys: Keys) {
  const controlKeys = keys.controlKey === undefined || keys.controlKey === '' ? [] : [keys.controlKey]
  const { controlField } = keys.profile ?? defaultProfile
  const redaction: Redaction = { controlKeys, controlField: controlField.value }
  return {
    parameter: (name: string, value: string): string =>
      publicOAuthParameters.has(name) ? redactText(value, redaction) : redactValue([name, value], redaction),
    item: (name: string, value: string): string => maskValue([name, value], redaction),
    text: (text: string): string => redactText(text, redaction),
  }
}

type OAuthKeys = Pick<ExplainSignatureOptions, 'secrets' | 'publicKey'>

/** Hands keys to the package that judges OAuth signatures. @throws InvalidKeyError for a public key that is none. */
export function oauthKeys({ controlKey, publicKey, profile = defaultProfile }: Keys): OAuthKeys {
  const keyEncoding = profile.hmacKeyEncoding.value
  return {
    ...(controlKey === undefined || controlKey === '' ? {} : { secrets: { consumerSecret: controlKey, keyEncoding } }),
    ...(publicKey === undefined || publicKey === '' ? {} : { publicKey: importPublicKey(publicKey) }),
  }
}

/** Whether something stands in place of a value, or of a part of one. */
export const isHidden = (value: string): boolean =>
  /^<(hidden|control value|\d+ characters)>$|\*{4}|<control key>/.test(value)

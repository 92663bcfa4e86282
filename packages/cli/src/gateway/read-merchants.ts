/**
 * Turns the merchants of the config file into those of a gateway: key files are read, and what is left out is made.
 *
 * @module
 */
import { dirname, resolve } from 'node:path'
import { fromMinorUnits, generateKeyPair, importPublicKey } from '@tillkit/signing'
import type { MerchantOptions } from '@tillkit/testing'
import { type ConfigMerchant, readText } from './read-config.js'
import { UsageError } from './usage-error.js'

/** A merchant who is ready, and which of the secrets were made for this run. */
export interface ReadyMerchant {
  readonly options: MerchantOptions
  /** Absent where the config file has it. */
  readonly madeControlKey?: string
  /** PKCS#8 PEM. Absent where the config file names the public half of a key pair. */
  readonly madePrivateKey?: string
}

/** Where key files are seen from, and what makes a control key. */
export interface MerchantSources {
  /** Path of the config file. */
  readonly config: string
  readonly newControlKey: () => string
}

/**
 * Reads merchants.
 *
 * @throws {@link UsageError} that names the merchant and the file.
 */
export function readMerchantKeys(
  merchants: readonly ConfigMerchant[],
  sources: MerchantSources,
): Promise<readonly ReadyMerchant[]> {
  return Promise.all(merchants.map(merchant => readKeys(merchant, sources)))
}

async function readKeys(
  { publicKeyFile, ...merchant }: ConfigMerchant,
  { config, newControlKey }: MerchantSources,
): Promise<ReadyMerchant> {
  for (const endpoint of merchant.endpoints ?? []) checkCurrency(endpoint, merchant.login)
  const controlKey = merchant.controlKey ?? newControlKey()
  const made = publicKeyFile === undefined ? generateKeyPair() : undefined
  const publicKey = made?.publicKey ?? (await readPublicKey(publicKeyFile ?? '', { login: merchant.login, config }))
  return {
    options: { ...merchant, controlKey, publicKey },
    ...(merchant.controlKey === undefined ? { madeControlKey: controlKey } : {}),
    ...(made === undefined ? {} : { madePrivateKey: made.privateKey }),
  }
}

function checkCurrency(endpoint: NonNullable<ConfigMerchant['endpoints']>[number], login: string): void {
  const { id, currency } = typeof endpoint === 'object' ? endpoint : { id: endpoint, currency: undefined }
  if (currency === undefined) return
  try {
    fromMinorUnits(0n, currency)
  } catch {
    throw new UsageError(
      `The endpoint ${id} of the merchant "${login}" has the currency "${currency}": ISO 4217 has none.`,
    )
  }
}

async function readPublicKey(file: string, { login, config }: { readonly login: string; readonly config: string }) {
  const named = `"publicKeyFile" of the merchant "${login}"`
  // A path has no line breaks; a key that was pasted here must not be shown.
  if (/-----BEGIN|\n/.test(file)) throw new UsageError(`${named} is a key; save it to a file and name that.`)
  const text = await readText(resolve(dirname(config), file), named)
  try {
    return importPublicKey(text).key
  } catch (error) {
    throw new UsageError(`${named}, ${file}: ${error instanceof Error ? error.message : 'it cannot be read.'}`)
  }
}

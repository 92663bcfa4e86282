import { defineProfile } from '@tillkit/protocol'
import {
  type FakeGateway,
  type ListeningAddress,
  type ListenOptions,
  testControlKey,
  testPrivateKey,
} from '@tillkit/testing'
import { type Config, type ReadyMerchant, readConfig, readMerchantKeys } from './config.js'
import { createGateway, type GatewayOptions } from './create-gateway.js'
import { UsageError } from './errors.js'
import type { IntroducedMerchant, Introduction } from './introduction.js'

/** What the arguments ask for. What is undefined is for the config file or the default to say. */
export interface StartOptions {
  readonly port: number | undefined
  readonly host: string | undefined
  /** Path of the config file. */
  readonly config: string | undefined
  readonly publicOrigin: string | undefined
  readonly form: boolean
  readonly expose: boolean
  /** Unless the config file says otherwise, in milliseconds. */
  readonly processingTime?: number
}

/** A gateway that listens, and what there is to say about it. */
export interface StartedGateway {
  readonly gateway: FakeGateway
  readonly introduction: Omit<Introduction, 'version'>
}

/**
 * Starts the gateway. Of what both say, the arguments win over the config file.
 *
 * @throws {@link UsageError} that names the argument or the place in the config file; an error that says why it cannot
 * listen.
 */
export async function startGateway(
  wanted: StartOptions,
  { newControlKey, warn }: { readonly newControlKey: () => string; readonly warn: (text: string) => void },
): Promise<StartedGateway> {
  const file: Config = wanted.config === undefined ? {} : await readConfig(wanted.config)
  const { port = 4010, host = '127.0.0.1', publicOrigin, merchants, profile, ...settings } = file
  const ready =
    merchants === undefined
      ? undefined
      : await readMerchantKeys(merchants, { config: wanted.config ?? '', newControlKey })
  const gateway = create({
    ...(wanted.processingTime === undefined ? {} : { processingTime: wanted.processingTime }),
    ...settings,
    ...(profile === undefined ? {} : { profile: defineProfile(profile, 'config file') }),
    warn,
    ...(wanted.form ? { formReplies: true } : {}),
    ...(ready === undefined ? {} : { merchants: ready.map(({ options }) => options) }),
  })
  const publicly = wanted.publicOrigin ?? publicOrigin
  const address = await listen(gateway, {
    port: wanted.port ?? port,
    host: wanted.host ?? host,
    exposed: wanted.expose,
    ...(publicly === undefined ? {} : { publicOrigin: publicly }),
  })
  const { origin, baseUrl } = address
  const introduction = {
    origin,
    baseUrl: baseUrl.href,
    dashboard: settings.dashboard ?? true,
    form: wanted.form || (settings.formReplies ?? false),
    exposed: wanted.expose,
    merchants: ready === undefined ? [publishedMerchant] : ready.map(introduced),
    firstControlKey: ready?.[0]?.options.controlKey ?? testControlKey,
  }
  return { gateway, introduction }
}

/** The merchant of a gateway that was given none. */
const publishedMerchant: IntroducedMerchant = {
  login: 'merchant',
  endpoints: [{ id: '39' }],
  groups: [],
  controlKey: testControlKey,
  privateKey: testPrivateKey,
  published: true,
}

function introduced({ options, madeControlKey, madePrivateKey }: ReadyMerchant): IntroducedMerchant {
  const { login, endpoints = [], groups = [] } = options
  return {
    login,
    endpoints: endpoints.map(each =>
      typeof each === 'object' ? { ...each, id: String(each.id) } : { id: String(each) },
    ),
    groups: groups.map(String),
    ...(madeControlKey === undefined ? {} : { controlKey: madeControlKey }),
    ...(madePrivateKey === undefined ? {} : { privateKey: madePrivateKey }),
  }
}

/** What the gateway refuses to be made of is a mistake in the config file. */
function create(options: GatewayOptions): FakeGateway {
  try {
    return createGateway(options)
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

async function listen(gateway: FakeGateway, options: ListenOptions): Promise<ListeningAddress> {
  const { port, host } = options
  try {
    return await gateway.listen(options)
  } catch (error) {
    await gateway.close()
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new Error(`Cannot listen on port ${port} of ${host}: ${cures[code] ?? code}.`, { cause: error })
  }
}

const cures: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken. Stop what listens there, or choose another with --port; --port 0 takes any free one',
  EACCES: 'you may not use this port. Choose one from 1024 on with --port',
  EADDRNOTAVAIL: 'this machine has no such address. See --host',
  ENOTFOUND: 'nobody knows this name. See --host',
}

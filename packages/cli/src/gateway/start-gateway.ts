import { defineProfile } from '@tillkit/protocol'
import { type FakeGateway, type ListenOptions, testControlKey, testPrivateKey } from '@tillkit/testing'
import { type Config, readConfig, readMerchant, readOperations } from './config.js'
import { createGateway } from './create-gateway.js'
import { UsageError } from './errors.js'
import type { IntroducedMerchant, Introduction } from './introduction.js'

/** What the arguments ask for. What is undefined is for the config file or the default to say. */
export interface StartOptions {
  readonly port: number | undefined
  readonly host: string | undefined
  readonly config: string | undefined
  readonly publicOrigin: string | undefined
  readonly form: boolean
  readonly expose: boolean
  /** Unless the config file says otherwise, in milliseconds. */
  readonly processingTime?: number
  /** Where identifiers and chance begin, unless the config file says otherwise. Default: that of the fake gateway. */
  readonly seed?: string
}

/**
 * Starts the gateway, and says what the person who started it has to be told. An argument wins over the config file.
 *
 * @param context `warn` is told once of each warning about a request.
 * @throws {@link UsageError} or TypeError that names the argument or the place in the config file; an error that says why the
 * gateway cannot listen.
 */
export async function startGateway(
  wanted: StartOptions,
  context: { readonly newControlKey: () => string; readonly warn: (text: string) => void },
): Promise<{ readonly gateway: FakeGateway; readonly introduction: Omit<Introduction, 'version'> }> {
  const { newControlKey, warn } = context
  const { config = '', form, expose, processingTime, seed } = wanted
  const file: Config = config === '' ? {} : await readConfig(config)
  const { port = 4010, host = '127.0.0.1', publicOrigin, merchants, operations = [], profile, ...settings } = file
  const ready = merchants && (await Promise.all(merchants.map(each => readMerchant(each, { config, newControlKey }))))
  const gateway = createGateway({
    ...(processingTime === undefined ? {} : { processingTime }),
    ...(seed === undefined ? {} : { seed }),
    ...settings,
    ...(profile === undefined ? {} : { profile: defineProfile(profile, 'config file') }),
    operations: readOperations(operations),
    warn,
    ...(form ? { formReplies: true } : {}),
    ...(ready === undefined ? {} : { merchants: ready.map(({ options }) => options) }),
  })
  const publicly = wanted.publicOrigin ?? publicOrigin
  const {
    origin,
    baseUrl,
    controlOrigin = origin,
  } = await listen(gateway, {
    port: wanted.port ?? port,
    host: wanted.host ?? host,
    exposed: expose,
    ...(publicly === undefined ? {} : { publicOrigin: publicly }),
  })
  const introduction = {
    origin: controlOrigin,
    baseUrl: baseUrl.href,
    dashboard: settings.dashboard ?? true,
    form: form || (settings.formReplies ?? false),
    exposed: expose,
    merchants: ready?.map(({ introduced }) => introduced) ?? [publishedMerchant],
    firstControlKey: ready?.[0]?.options.controlKey ?? testControlKey,
  }
  return { gateway, introduction }
}

/** The merchant of a gateway whose config file names none. */
const publishedMerchant: IntroducedMerchant = {
  login: 'merchant',
  endpoints: [{ id: '39' }],
  groups: [],
  controlKey: testControlKey,
  privateKey: testPrivateKey,
  published: true,
}

async function listen(gateway: FakeGateway, options: ListenOptions) {
  try {
    return await gateway.listen(options)
  } catch (error) {
    await gateway.close()
    if (error instanceof TypeError)
      throw new UsageError(error.message.replace('set "exposed" (--expose)', 'give --expose'), { cause: error })
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const { port, host } = options
    throw new Error(`Cannot listen on port ${port} of ${host}: ${cures[code] ?? code}.`, { cause: error })
  }
}

const cures: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken. Stop what listens there, or choose another with --port; --port 0 takes any free one',
  EACCES: 'you may not use this port. Choose one from 1024 on with --port',
  EADDRNOTAVAIL: 'this machine has no such address. See --host',
  ENOTFOUND: 'no machine has this name. See --host',
}

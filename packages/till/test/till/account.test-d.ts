import { clientOptionsFromEnv } from '@tillkit/client'
import { expectTypeOf } from 'vitest'
import { createTill, type TillAccount, type TillOptions } from '../../src/index.js'

declare const options: TillOptions

// The environment gives an account as it stands.
expectTypeOf(clientOptionsFromEnv).returns.toExtend<TillAccount>()
createTill({ ...options, account: clientOptionsFromEnv() })
// @ts-expect-error An account has a control key: callbacks are verified with it.
createTill({ ...options, account: { baseUrl: 'https://gate.example', endpointId: 39, login: 'merchant' } })

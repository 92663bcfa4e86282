import { isLoopbackHost } from '@tillkit/protocol'
import type { Till } from '../../src/index.js'
import type { PaymentPlace } from '../../src/store/keys.js'

/** The place at which a till of one account keeps its payments, by what its documentation says of names and environments. */
export const placeOf = ({ client }: Pick<Till, 'client'>, name = 'till'): PaymentPlace => ({
  name,
  environment: isLoopbackHost(new URL(client.baseUrl).hostname) ? 'test' : 'production',
})

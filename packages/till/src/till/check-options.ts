import {
  aCount,
  aFlag,
  aFunction,
  anObjectWith,
  aText,
  checkedLater,
  checkOptions,
  mustBe,
  type OptionTable,
  oneOfWords,
  required,
} from '@tillkit/protocol'
import { checkPages } from '../pages/options.js'
import type { TillOptions } from '../payment/options.js'
import { checkMeter } from '../report/metrics.js'
import { day } from './purge.js'
import type { StartOptions } from './till.js'

const tillOptions: OptionTable<TillOptions> = {
  account: checkedLater,
  accounts: checkedLater,
  store: required(
    anObjectWith(
      ['read', 'write', 'postpone', 'take', 'list', 'close'],
      'sqliteStore(file) or postgresStore(pool) of @tillkit/till, or memoryStore() of @tillkit/protocol in a test',
    ),
  ),
  name: aText,
  address: checkedLater,
  returnTo: required(aFunction),
  payAgain: aFunction,
  onOutcome: required(
    mustBe(value => typeof value === 'function' || value === 'told-elsewhere', 'a function or "told-elsewhere"'),
  ),
  handlerTimeout: aCount({ unit: 'milliseconds' }),
  pages: checkedLater,
  replaceOpenForm: aFlag,
  surplus: oneOfWords('person', 'return'),
  onUnmatched: aFunction,
  patience: aCount({ unit: 'milliseconds', most: Number.MAX_SAFE_INTEGER }),
  mostOrders: aCount({ unit: 'orders' }),
  statusPerSecond: checkedLater,
  secondPersonAbove: checkedLater,
  meter: checkedLater,
  stateSecrets: checkedLater,
  onReport: aFunction,
  onRejected: aFunction,
  clock: aFunction,
  wait: aFunction,
}

/**
 * A misspelt `secondPersonAbove` would let one person decide alone, in silence.
 *
 * @throws {TypeError} naming the option that is wrong, or that there is none of.
 */
export function checkTillOptions(options: object): void {
  checkOptions<object>('createTill', options, tillOptions)
  const { meter, pages = {} } = options as TillOptions
  checkMeter(meter)
  checkPages(pages)
}

/** For how long a backup counts, in milliseconds. @throws {TypeError} for what is no time. */
export function retentionOf({ retention = 30 * day }: StartOptions): number {
  if (Number.isSafeInteger(retention) && retention > 0) return retention
  throw new TypeError('start: "retention" must be whole milliseconds, more than 0.')
}

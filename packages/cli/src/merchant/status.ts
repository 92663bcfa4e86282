import { type CommandLine, json, option } from '../command-line/command.js'
import { InterruptedError, stopSignal, withProgress } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { UsageError } from '../gateway/errors.js'
import { endingOf } from './meaning.js'
import { type MerchantOptions, merchantOf, merchantOptions } from './settings.js'
import { askStatus, isWrongQuestion, tellObserved, watchOrder } from './watch.js'

interface StatusOptions extends MerchantOptions {
  readonly orderId?: string
  readonly serialNumber?: string
  readonly watch?: true
  readonly json?: true
}

/** `tillkit status`: how an order stands. */
export function addStatus(line: CommandLine, surroundings: Surroundings): void {
  const command = line.add(
    line.root,
    'status <order>',
    {
      summary: 'Says how an order stands, once or until it is over.',
      does: 'Asks the gateway how an order stands, and says what that means. <order> is your own order id, clientOrderId. It changes nothing. With --watch it asks until there is a final word, and prints a line for each change; Ctrl+C ends the wait.',
      examples: [
        'tillkit status order-7',
        'tillkit status order-7 --order-id 1815162342 --watch',
        'tillkit status order-7 --json | jq -r .kind',
      ],
      ends: {
        done: 'The latest stage of the order is approved.',
        failed: 'It is declined; or the question was refused, or not sent.',
        usage: undefined,
        'not-known': 'No answer came.',
        processing: 'There is no final word yet.',
        interrupted: undefined,
      },
    },
    [
      option('--order-id <id>', 'The gateway’s id of the order. Some gateways ask for it.'),
      option('--serial-number <id>', 'Asks about one request of the order: its serial-number.'),
      option('--watch', 'Asks until there is a final word.'),
      json('what status says'),
      ...merchantOptions(),
    ],
  )
  command.runs<StatusOptions>(async (options, clientOrderId = '') => {
    const merchant = await merchantOf(options, surroundings)
    const profile = merchant.profile()
    const client = merchant.client()
    const order = { clientOrderId, orderId: options.orderId, byRequestSn: options.serialNumber }
    try {
      if (options.watch === true) return await watchOrder({ client, order, profile }, options, surroundings)
      const signal = stopSignal(surroundings)
      const observed = await withProgress(
        surroundings,
        () => 'Asking status',
        () => askStatus({ client, order, profile }, signal),
      )
      if (signal.aborted) throw new InterruptedError('Asking changed nothing.')
      tellObserved(observed, { order, profile }, options, surroundings)
      return endingOf(observed.meaning)
    } catch (error) {
      throw isWrongQuestion(error) ? new UsageError(error.message, { cause: error }) : error
    } finally {
      await client.close()
    }
  })
}

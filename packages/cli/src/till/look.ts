import { type CommandLine, json } from '../command-line/command.js'
import { withProgress } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { asGiven } from '../command-line/words.js'
import { columnsOf, paintFor } from '../command-line/wrap.js'
import { sameAccount, settingsOption } from '../merchant/settings.js'
import { describePayment } from './describe.js'
import { describeReport, needsAttention } from './describe-report.js'
import { sameStore, storeOptions } from './open-store.js'
import { sameTill, tillOptions, withoutAccount, withStoredPayment } from './with-till.js'

const layoutOf = (surroundings: Surroundings) => ({
  paint: paintFor(surroundings),
  columns: columnsOf(surroundings.terminal),
})

/** Reads the store, which may take long, and may be stopped. */
const reading = <Result>(surroundings: Surroundings, read: () => Promise<Result>): Promise<Result> =>
  withProgress(surroundings, 'Reading the store', read, () => 'Reading changed nothing.')

/** `tillkit payment`: a payment as the store of a till has it. */
export function addPayment(line: CommandLine, surroundings: Surroundings): void {
  const command = line.add(
    line.root,
    'payment <reference>',
    {
      summary: 'Shows a payment of a till: what happened, and what is to decide.',
      does:
        'Shows a payment as the store of your till has it: ' +
        'its state, its orders, what is under way, what your handler was not told yet, what happened, ' +
        'and what a person has to decide. It asks no gateway and changes nothing, so the store alone is enough. ' +
        'If several tills share it, --name says which one is meant; ' +
        'the words of status are read by --profile, else as usual.',
      examples: ['tillkit payment basket-7 --store shop.db', 'tillkit payment basket-7 --json | jq .payment.state'],
      ends: {
        done: 'It is shown.',
        failed: 'There is no such payment, or the store failed.',
        usage: undefined,
        interrupted: undefined,
      },
    },
    [json('the payment and what is to decide'), ...tillOptions()],
  )
  command.runs((options, reference = '') =>
    reading(surroundings, () =>
      withStoredPayment(
        reference,
        { options, surroundings },
        async ({ till, payment, foundName, missing, unnamed }) => {
          const questions = await till.questions(reference)
          if (options.json === true) surroundings.say(`${JSON.stringify({ payment, questions })}\n`)
          if (missing !== undefined) throw missing
          if (options.json === true) return 'done' as const
          const same = sameTill(foundName === undefined ? options : { ...options, name: foundName })
          surroundings.say(
            describePayment(payment, questions, {
              ...layoutOf(surroundings),
              same: `${same}${unnamed}`,
              account: `${sameAccount(options)}${unnamed}`,
              till: foundName,
            }),
          )
          return 'done' as const
        },
      ),
    ),
  )
}

/** `tillkit report`: what needs attention in a store. */
export function addReport(line: CommandLine, surroundings: Surroundings): void {
  const command = line.add(
    line.root,
    'report',
    {
      summary: 'Says what needs attention in the store of a till.',
      does:
        'Says what needs attention in the store of a till, the most important first: ' +
        'payments that were paid twice, that a person must decide about, whose handler fails, ' +
        'or whose requests were not answered; ' +
        'then what your handler was not told yet, which needs attention after ten minutes, what cannot be read, ' +
        'and what is under way. It asks no gateway and changes nothing.',
      examples: [
        'tillkit report --store shop.db',
        'tillkit report --settings shop.env',
        'TILLKIT_STORE=postgres://shop@localhost/shop \\\n  tillkit report --json | jq .surplus.total',
      ],
      ends: {
        done: 'Nothing needs attention.',
        failed: 'Something does; or the store failed.',
        usage: undefined,
        interrupted: undefined,
      },
    },
    [json('the report'), ...storeOptions(), settingsOption()],
  )
  command.runs(async options =>
    withoutAccount(options, surroundings, async (till, unnamed) => {
      const report = await reading(surroundings, () => till.report())
      const now = surroundings.clock()
      const account = `${asGiven([settingsOption()], options)}${unnamed}`
      const layout = { ...layoutOf(surroundings), now, same: sameStore(options), unnamed, account }
      surroundings.say(options.json === true ? `${JSON.stringify(report)}\n` : describeReport(report, layout))
      return needsAttention(report, now) ? 'failed' : 'done'
    }),
  )
}

/**
 * Faults that were found, and the test that holds each now, as tables of docs/evidence.md. scripts/check-promises.js fails where a test
 * is gone.
 *
 * A row is: the fault, the file of the test, its title or the beginning of that.
 */

const till = 'packages/till/test/till'
const rules = 'packages/till/src/rules'

/** Found by the runs of this page. */
export const foundByRuns = {
  'the explorer': [
    [
      'a person’s "it did nothing", said before a slow request had left, counted after it had',
      `${rules}/people/decide.test.ts`,
      'did nothing only where the person spoke once it %s',
    ],
    [
      'a return at the gateway’s screens, equal to one of ours, was told to nobody, and totals were certain and wrong',
      `${till}/made-elsewhere.test.ts`,
      'after an equal one of ours is told as well, told apart by %s, and no sum is said',
    ],
    [
      'a chargeback of a part made the whole payment `returned`',
      `${till}/made-elsewhere.test.ts`,
      'leaves the payment paid, and each one is told',
    ],
    [
      'an equal return that somebody had tried at the gateway’s screens was taken for ours: it counted as failed, and totals were wrong',
      `${rules}/orders/happened.test.ts`,
      'is waited for where one that failed was seen before the number was known',
    ],
  ],
  'the world': [
    [
      'a movement that a later one covered before status was asked was forgotten an hour after its callback, and totals counted as certain',
      `${till}/callback-not-shown.test.ts`,
      'is asked of a person after an hour, and no sum is said meanwhile',
    ],
    [
      'an order whose latest word alone was ever heard, such as of a return, waited for a person for ever',
      `${rules}/orders/expected.test.ts`,
      'asks about %s',
    ],
    [
      'a movement that a restored store lacks, beside one of its kind that had a number, was not written',
      'proof/world/test/world.test.ts',
      'is at rest now: %s',
    ],
    [
      'changes that a restored store lacks, and that a later one covers, came to nobody’s ears',
      `${till}/restored-lacks.test.ts`,
      'changes that later ones cover come back by the serial numbers that a person has looked up',
    ],
    [
      'an order whose beginning a restored store lacks could not be ended by a person',
      `${till}/restored-lacks.test.ts`,
      'an order whose beginning a later change covers is asked about, and comes back by its serial numbers',
    ],
    [
      'a chargeback that the bank took back was told to nobody',
      'packages/protocol/src/order/order.test.ts',
      'takes another word about the only chargeback of that amount, %s, for its correction',
    ],
    [
      'an order from elsewhere that nobody paid could not be ended by a person',
      `${till}/changed-cart.test.ts`,
      'ends an order that was made elsewhere, and is never paid',
    ],
    [
      'a return, capture or void without a number that the gateway took back was told to nobody',
      `${till}/taken-back.test.ts`,
      'is told as disputed, and a person says that it was taken back',
    ],
    [
      'a return that was declined at the gateway’s screens, and approved at last, was told to nobody, and totals were certain and wrong',
      `${till}/taken-back.test.ts`,
      'a return that was declined at the gateway, and that the gateway approves at last, is told',
    ],
    [
      'a return whose answer was lost, and that the gateway took back, counted as given back for ever',
      `${till}/taken-back.test.ts`,
      'a return of ours whose answer was lost, and that the gateway takes back, is told as disputed',
    ],
    [
      'at a gateway that gives changes no numbers, nobody was asked about one that a chargeback covers',
      'packages/till/src/rules/people/questions.test.ts',
      'is asked about only where it is: %s',
    ],
    [
      'a hold whose approval, after a decline, a restored store lacks was never known to be held',
      'packages/till/src/rules/orders/expected.test.ts',
      'asks about %s',
    ],
    [
      'a payment that was declined, approved and declined again stayed `paid` where the last callback came before status',
      'packages/till/src/intents/callback.test.ts',
      'writes down a callback of an earlier word of a stage, and answers it',
    ],
    [
      'an order behind one that the gateway had refused could not be adopted after a restore',
      `${till}/people-adopt.test.ts`,
      'is one after another that the gateway has, or far after all that the payment has',
    ],
    [
      'of two paid orders a person could give none back where a part of the other had gone back at the gateway',
      `${rules}/delivery/give-back.test.ts`,
      'where a part of the other one went back, and it is not certain how much: %s',
    ],
    [
      'a return that the gateway took back was told to nobody where a restored store had lost its request',
      `${rules}/orders/expected.test.ts`,
      'asks about %s',
    ],
    [
      'a return without a number was waited for, for ever, behind one over another amount',
      `${rules}/people/questions.test.ts`,
      'is asked about only where it is: %s',
    ],
  ],
  fuzzing: [
    [
      'a message that was cut showed a card number: digits that lost their last one looked like one',
      'packages/protocol/src/redaction/mask-card-number.test.ts',
      'shows no card number where the cut makes one of longer digits',
    ],
    [
      'a state token wrote text of its sender into the log, line breaks and all',
      'packages/express-middleware/src/state/token.test.ts',
      'says why without a line of its own in a log, a control character or a card number that the sender chose',
    ],
    [
      'messages showed characters that a terminal obeys, or that begin a line',
      'packages/protocol/src/redaction/mask-card-number.test.ts',
      'makes of %j: %s',
    ],
    [
      'a PEM file of many beginnings took the square of the time',
      'packages/signing/src/keys/private-key.test.ts',
      'of nothing but %j is refused at once',
    ],
    [
      'an RSA key with a prime of thousands of digits took seconds for each signature',
      'packages/signing/src/keys/private-key.test.ts',
      'is refused before it signs, which would take seconds',
    ],
    [
      'a message showed parts of a JSON Web Key',
      'packages/signing/src/keys/private-key.test.ts',
      'is not shown by what Node.js says of it',
    ],
    [
      'a fact whose kind is an object was no error of the store',
      `${rules}/kept/entry.test.ts`,
      'refuses a fact whose kind cannot even be written as text',
    ],
  ],
  'the old and the new engine side by side': [
    [
      'a callback that status did not answer was forgotten, and a person’s word then opened a second charge',
      `${till}/attacks-decisions.test.ts`,
      'and it is not so where the gateway has called back, though status says that it has never seen the order: %s',
    ],
    [
      'a follow-up was struck from the list where its key was wrong for a while',
      `${till}/attacks-follow-ups.test.ts`,
      'a follow-up whose signature the gateway refuses, however often, is sent once the key is right again',
    ],
    [
      'a follow-up was struck where its account was not there',
      `${till}/attacks-follow-ups.test.ts`,
      'a follow-up whose account is not there for a while is sent once it is back',
    ],
    [
      'a return that status had shown before its answer was lost stayed unknown for ever',
      `${till}/certainty.test.ts`,
      'is known to have happened, though status showed that before it could be judged',
    ],
  ],
}

/** Found by people who tried the till as a shop would, and attacked it. */
export const foundInTheField = [
  [
    'accounts in another order, or a new one in front: a payment that was paid was new, and was charged again',
    `${till}/settings-change.test.ts`,
    '%s has the same payments',
  ],
  [
    'a second order under an id that was used had money, and stood on no list',
    `${till}/same-id.test.ts`,
    'is told as surplus, stands first in the report, and is given back by its name',
  ],
  [
    'of equal returns and chargebacks made elsewhere some were told',
    `${till}/made-elsewhere.test.ts`,
    'is told each time: 3.00, then 2.00, then 3.00',
  ],
  [
    'the file of the store was deleted or replaced under a running till, and money went on being asked for',
    'packages/till/test/sqlite/replaced-file.test.ts',
    'sqliteStore, while %s: nothing is sent, and it says why',
  ],
  [
    'a chargeback of a payment that was purged was nowhere',
    `${till}/purge.test.ts`,
    'lists a chargeback of a purged payment as unmatched',
  ],
  [
    'one verified signature, divided anew, made 1,500 callbacks that were kept for good',
    `${till}/unmatched.test.ts`,
    'is kept only with a word and ids of the profile, where nobody has the order: once for each place of one border',
  ],
  [
    'a script that waited for a payment ended in the middle',
    `${till}/awaited.soak.test.ts`,
    'till.wait, in a script with nothing else to do: lasts until its time is over',
  ],
  [
    'a cart that changed while its form was open was refused for good, and nobody could end that',
    `${till}/changed-cart.test.ts`,
    'opens the next order, after a look at status, and is paid once',
  ],
  [
    'after a part was given back at the gateway, parts were refused as well',
    `${till}/made-elsewhere.test.ts`,
    'is sent once, since it needs no sum',
  ],
  [
    'an amount that came after the approval: the merchant had heard `disputed`, and never `paid`',
    `${till}/late-amount.test.ts`,
    'tells what it is once the amount has come, without a callback and without a person',
  ],
  [
    'one process whose clock was two years ahead made payments of yesterday old enough to be purged',
    'packages/till/test/sqlite/clocks-apart.test.ts',
    'purges nothing while the clocks are an hour apart',
  ],
  [
    'changes of one order in a row were told ever later, and their callbacks answered 503',
    `${till}/made-elsewhere.test.ts`,
    'twelve changes in a row are each told at their first callback',
  ],
  [
    'a reference with a typing mistake: "there is nothing of it that this could be about"',
    `${till}/changes.test.ts`,
    'says of a reference that nothing is kept under: look how it is spelled',
  ],
  [
    'a payout whose recipient was checked read `verified` while its money was on its way',
    `${till}/payouts.test.ts`,
    'is open while its money is on its way, whether that was answered or not',
  ],
  [
    'after a new contract a message advised a new reference for a payment that was paid: a second charge',
    `${till}/settings-change.test.ts`,
    'with another account alone, after a new contract, charges nobody again',
  ],
  [
    'outcomes had nothing to reconcile by: no code of the acquirer, no card, no id of the gateway',
    `${till}/money-found.test.ts`,
    'a sale and its return are found by what status said of them',
  ],
  [
    'nobody could say who wanted a return, and why',
    `${till}/wanted-by.test.ts`,
    'till.return, capture, void and payout keep who wanted it and why',
  ],
  [
    'several tills on one store took the due work of each other',
    `${till}/several-tills.test.ts`,
    'takes nothing of another name out of the store, and ends its own',
  ],
  [
    'a card that was stored by the second account could not be charged by it',
    `${till}/client-of-accounts.test.ts`,
    'stores its card there, and the card can be charged by that account',
  ],
  [
    'a chargeback whose callback overtook status was lost',
    `${till}/attacks-intake.test.ts`,
    'is asked about again though an earlier one is sent again meanwhile',
  ],
  [
    'a handler that took longer than its lease was begun again while it ran',
    `${till}/slow-handler.test.ts`,
    'runs once, %s',
  ],
  [
    'a stored payment that was empty or of an older form could count as a new one',
    `${rules}/kept/entry.test.ts`,
    'refuses %s, names the key and shows nothing of the body',
  ],
  [
    'one flipped bit in the name of a field let a second form be opened',
    `${rules}/pay/damaged.test.ts`,
    'a payment %s never counts as a new one, whichever bit of it was flipped',
  ],
  [
    'PostgreSQL answered a commit whose wait for the standby was cancelled as if all were well',
    'packages/till/test/postgres/standby.soak.test.ts',
    '%s is answered once the standby has it, although the wait is cancelled again and again',
  ],
  [
    'after a restore nobody looked for the later orders of a declined payment: it stayed declined while it was paid',
    `${till}/restored-lacks.test.ts`,
    'where nobody presses again, %s is found by the work in the background, and told',
  ],
]

/**
 * The contract of an inbox, one check for each sentence of it.
 *
 * @module
 */
import type { InboxCheck } from './inbox-check.js'
import { inboxClaimChecks } from './inbox-claim-checks.js'
import { inboxEntryChecks } from './inbox-entry-checks.js'

/** Every check. */
export const inboxChecks: readonly InboxCheck[] = [...inboxClaimChecks, ...inboxEntryChecks]

/**
 * Every statement of the store. All parameters are texts, cast here: drivers disagree about numbers and JSON.
 *
 * @module
 */

/** The statements for one schema. */
export type Statements = ReturnType<typeof statementsFor>

const milliseconds = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint'
const microseconds = 'floor(extract(epoch from clock_timestamp()) * 1000000)::bigint'

/** "Durable" has to hold where the server or the role says that a commit need not be. */
export const durable = `case when current_setting('synchronous_commit') = 'off'
  then set_config('synchronous_commit', 'on', true) end as durable`

/** @param schema A name that needs no escape within double quotes. */
export function statementsFor(schema: string) {
  const documents = `"${schema}".documents`
  return {
    /** Entries that are held by another transaction are skipped. `$1`: JSON. */
    writeFree: write(documents, 'for update of d skip locked'),
    /** Waits for the row. `$1`: JSON. */
    write: write(documents, 'for update of d'),
    /** As `write`, within the marked transaction. No row: that is over. `$1`: JSON, `$2`: the mark. */
    writeMarked: write(documents, 'for update of d', " and current_setting('tillkit.handler', true) = $2::text"),
    /** Documents by their keys. `$1`: JSON. */
    read: `select ${milliseconds} as at, asked.key as asked, d.key, d.version, d.write_id, d.body
from (select key from json_array_elements_text($1::text::json) as each(key) where key = key || '') asked
left join ${documents} d on d.key = asked.key`,
    // A date that stays is not written: no new row version, and the index is left alone.
    postpone: `update ${documents} set due = $3::text::bigint
where key = $1::text and write_id = $2::text and due is distinct from $3::text::bigint`,
    take: take(documents, ''),
    /** The same, the latest first. */
    takeLatest: take(documents, ' desc'),
    /** A page of one list: `$1` list, `$2` since, `$3` key, `$4` limit. */
    listed: `with page as materialized (
  select key, version, write_id, body, since from ${documents}
  where list = $1::text and (since, key) > ($2::text::bigint, $3::text)
  order by since, key limit $4::text::bigint
), counted as (select count(*) as total from ${documents} where list = $1::text)
select counted.total, page.* from counted left join page on true order by page.since, page.key`,
    /** A page of all: `$1` key, `$2` limit. */
    all: `with page as materialized (
  select key, version, write_id, body from ${documents} where key > $1::text order by key limit $2::text::bigint
), counted as (select count(*) as total from ${documents})
select counted.total, page.* from counted left join page on true order by page.key`,
    /** The first of a handler's transaction: marks it with an id, and makes its commit durable. */
    mark: `select set_config('tillkit.handler', 'handler:' || gen_random_uuid(), true) as id, ${durable}`,
    lock: `with held as materialized (select key, version, write_id, body from ${documents} where key = $1::text for update)
select ${milliseconds} as at, current_setting('tillkit.handler', true) as id, held.*
from (select 1) one left join held on true`,
  }
}

/**
 * Writes each entry whose document is as the write `after` left it, in one statement.
 * Rows are locked in the order of their keys, and read as they are once locked; what another transaction has just inserted, or holds,
 * comes back as `skipped`.
 *
 * `key = key || ''` is always true. It makes the planner expect one row in place of a hundred, so that its plan, kept while
 * the table was empty, is still one of index look-ups when the table has grown.
 */
function write(documents: string, lock: string, condition = ''): string {
  return `with input as materialized (
  select * from json_to_recordset($1::text::json)
    as entry(key text, after text, id text, body text, due bigint, list text)
  where key = key || ''${condition}
), held as materialized (
  select input.*, d.version as found, d.write_id as found_id, d.body as found_body
  from input join ${documents} d on d.key = input.key order by d.key ${lock}
), updated as (
  update ${documents} d set version = d.version + 1, write_id = held.id, body = held.body, due = held.due,
    list = held.list,
    since = case when d.list = held.list then d.since when held.list is not null then ${microseconds} end
  from held where d.key = held.key and held.found_id = held.after returning d.key, d.version
), inserted as (
  insert into ${documents} (key, version, write_id, body, due, list, since)
  select key, 1, id, body, due, list, case when list is not null then ${microseconds} end from input
  where after is null and not exists (select from held where held.key = input.key) order by key collate "C"
  on conflict (key) do nothing returning key, version
), outcomes as (
  select held.key, coalesce(updated.version, found) as version, found_id, case
    when updated.key is not null then 'written'
    when found_id = id then 'repeated'
    else 'conflict' end as became, found_body
  from held left join updated on updated.key = held.key
  union all
  select input.key, inserted.version, null, case when inserted.key is null then 'absent' else 'written' end, null
  from input left join inserted on inserted.key = input.key
  where not exists (select from held where held.key = input.key)
)
select key, version, found_id as write_id, became, case when became = 'conflict' then found_body end as body,
  ${milliseconds} as at, ${durable}
from outcomes`
}

/**
 * Takes what is due in one statement, planned like {@link write}. `$1` limit, `$2` hold, `$3` the greatest clock seen, `$4` prefixes as
 * JSON or null; times are in milliseconds.
 */
function take(documents: string, direction: '' | ' desc'): string {
  return `with clock as materialized (select greatest(${milliseconds}, $3::text::bigint) as at), due as materialized (
  select key, due from ${documents} where due <= (select at from clock)
    and ($4::text is null
      or exists (select from json_array_elements_text($4::text::json) as prefixes(prefix) where starts_with(key, prefix)))
  order by due${direction}, key${direction} limit $1::text::bigint for update skip locked
), taken as (
  update ${documents} d set due = clock.at + $2::text::bigint from clock, due
  where d.key = due.key and due.key = due.key || ''
  returning d.key, d.version, d.write_id, d.body, due.due as was
)
select clock.at, taken.key, taken.version, taken.write_id, taken.body from clock left join taken on true
order by taken.was${direction}, taken.key${direction}`
}

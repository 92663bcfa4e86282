/**
 * The tables of the store, as plain SQL in steps.
 *
 * @module
 */
import { mustBe } from '@tillkit/protocol'

/** One step from a version of the tables to the next. */
export interface Migration {
  /** The version that the tables are at afterwards. */
  readonly version: number
  /** SQL of several statements, for `psql` or your own tool; run it once, in a transaction. It notes its version itself. */
  readonly sql: string
}

/** Options of what works on tables. */
export interface SchemaOptions {
  /** The schema that the tables are in: lower-case letters, digits and `_`. Default: `tillkit`. */
  readonly schema?: string | undefined
}

/** @see {@link SchemaOptions} */
export const aSchema = mustBe(
  value => typeof value === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(value),
  'a name of lower-case letters, digits and _',
)

export const defaultSchema = 'tillkit'

/** The steps to the tables of this release, the first one for an empty database. */
export function migrations({ schema = defaultSchema }: SchemaOptions = {}): readonly Migration[] {
  return stepsFor(schema).map(({ version, statements }) => ({ version, sql: `${statements.join(';\n\n')};\n` }))
}

/** A step as single statements: some drivers take no more than one at a time. */
export interface Step {
  readonly version: number
  readonly statements: readonly string[]
}

export const stepsFor = (schema: string): readonly Step[] => [{ version: 1, statements: first(schema) }]

/** The version of the tables that this release reads and writes. */
export const currentVersion = 1

const first = (schema: string): readonly string[] => [
  // "if not exists" would need the right to create schemas where the schema is there already.
  `do $$ begin
  if to_regnamespace('"${schema}"') is null then create schema "${schema}"; end if;
end $$`,
  `create table "${schema}".migrations (
  version integer primary key,
  applied timestamptz not null default now()
)`,
  // Keys in the order of their bytes. Half of each page stays free: an update that moves no date finds room beside the old row.
  `create table "${schema}".documents (
  key text collate "C" primary key,
  version bigint not null,
  write_id text not null,
  due bigint,
  list text collate "C",
  since bigint,
  body text not null
) with (fillfactor = 50)`,
  // A server that was built without lz4 keeps its default.
  `do $$ begin
  execute 'alter table "${schema}".documents alter column body set compression lz4';
exception when feature_not_supported or invalid_parameter_value or syntax_error then null;
end $$`,
  `create index documents_due on "${schema}".documents (due, key) where due is not null`,
  `create index documents_list on "${schema}".documents (list, since, key) where list is not null`,
  `insert into "${schema}".migrations (version) values (1)`,
]

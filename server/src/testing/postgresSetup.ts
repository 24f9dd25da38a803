import type { TestProject } from 'vitest/node'
import { ensurePushKeys } from '../flows/push/subscriptions.ts'
import { ensureSigningKey } from '../flows/signingKeys.ts'
import { openPostgres } from '../store/postgres/open.ts'
import { BEGINNING } from './clock.ts'
import { ask, databaseAt, startPostgres, TEMPLATE, type TestPostgres } from './postgres.ts'

/** A copy of every table as it is now, and a function that puts the copies back. Most tables of a test never hold a row. */
const PRISTINE = `
  create schema pristine;
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('create table pristine.%I as table public.%I', name, name);
    end loop;
  end $$;
  create function pristine.again() returns void language plpgsql as $$ declare name text; begin
    set local session_replication_role = replica;
    for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0 loop
      execute format('delete from public.%I', name);
    end loop;
    for name in select relname from pg_class where relnamespace = 'pristine'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0 loop
      execute format('insert into public.%I select * from pristine.%I', name, name);
    end loop;
    perform setval(format('public.%I', sequencename)::regclass, start_value, false)
      from pg_sequences where schemaname = 'public' and last_value is not null;
  end $$`

/** Starts a PostgreSQL server with the database that worlds are copies of. */
export async function worldPostgres(): Promise<TestPostgres> {
  const server = await startPostgres()
  try {
    await ask(server.url, `create database ${TEMPLATE}`)
    const store = await openPostgres(databaseAt(server.url, TEMPLATE))
    await ensureSigningKey({ store, now: () => BEGINNING })
    await ensurePushKeys({ store })
    await store.close()
    await ask(databaseAt(server.url, TEMPLATE), PRISTINE)
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** The PostgreSQL server of a run of tests. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await worldPostgres()
  project.provide('postgres', server.url)
  return server.stop
}

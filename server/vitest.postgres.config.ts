import { defineConfig } from 'vitest/config'

/** What PostgreSQL could do otherwise than SQLite; everything else is tested on SQLite alone. */
export default defineConfig({
  test: {
    name: 'server-postgres',
    include: [
      // The store itself, and the storms in their small forms.
      '{src/store,tests}/postgres/*.test.ts',
      'src/testing/{crew/crewStorm,fuzz/fuzz,storms/saleStorm}.test.ts',
      // Flows of which several run at once.
      'src/flows/gate/{admit,conflicts,replayScans}.test.ts',
      'src/flows/{people/retention,tickets/sellTickets}.test.ts',
      'src/flows/recovery/{address,epoch,rehearsal}.test.ts',
      'src/http/routes/tickets.test.ts',
      'tests/flows/catchUp.test.ts',
      'tests/api/{blocks,buyers,deskSale,evening,guestList,handOver,heldForNothing,inside,moneyMatters}.test.ts',
      'tests/api/{newCodes,orders,sellersClaims,statements,ticketLinks,users}.test.ts',
      // They send nearly all other statements: figures, lists, exports, erasure.
      'src/{accountant/accountant,http/metrics,http/routes/event}.test.ts',
      'tests/api/{analytics,auth,erasure,eventState,exports,listSorting,lostTickets,moneyExports,push}.test.ts',
      'tests/api/{offerAttacks,orderDesk,refundsElsewhere,register,ticketDesk}.test.ts',
      'tests/api/ticketTypes.test.ts',
      'tests/flows/retentionAtDoor.test.ts',
    ],
    // Groups of tests all of which are left out here (`testOnSqlite`).
    passWithNoTests: true,
    globalSetup: 'src/testing/postgresSetup.ts',
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    isolate: false,
  },
})

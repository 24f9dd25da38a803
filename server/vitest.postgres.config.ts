import { defineConfig } from 'vitest/config'

/** The tests of the server once more, on PostgreSQL: each statement of the store at least once, and all that happens at once. */
export default defineConfig({
  test: {
    name: 'server-postgres',
    include: ['src/{accountant,flows,http,identity,testing}/**/*.test.ts', 'src/store/postgres/*.test.ts'],
    exclude: [
      // SQLite's own planner.
      'src/http/routes/queryPlans.test.ts',
      // Of requests, limits, pages, mails, roles, keys and tokens themselves, which no database changes.
      'src/http/{access,bodies,emulatorProxy,headers,limits,localDemo,mount,openapi,pages,requestLog}.test.ts',
      'src/http/routes/{demoMails,orderMails,site}.test.ts',
      'src/flows/signingKeys.test.ts',
      'src/testing/earlierClient.test.ts',
      // SQLite's files, and servers in processes of their own; the sale alone is stormed on both.
      'src/testing/storms/{evening,power,soak}Storm.test.ts',
      'src/testing/storms/trouble.test.ts',
      'src/identity/{publishedKeys,rememberedTokens,verifier}.test.ts',
      // A file of a bank, and a backup's file: they have no database.
      'src/flows/reconciliation/statementFile.test.ts',
      'src/flows/recovery/restoreBackup.test.ts',
      // Other files of this run send each of their statements: above all erasure, retention, closeEvent and doorSales.
      'src/flows/{clockSetBack,recovery/{address,keepBackups},watch/{alarms,health}}.test.ts',
      'src/flows/gate/{takeBackLate,undoAdmission}.test.ts',
      'src/flows/money/orders/applyFacts.test.ts',
      'src/flows/tickets/groupCodes.test.ts',
      'src/http/{context,sse}.test.ts',
      'src/http/routes/{announceChange,audit,books,closedGate,deviceEnds,deviceScans,devices,deviceTokens}.test.ts',
      'src/http/routes/{doorAttacks,eveningAlarms,gates,guestOrders,headcount,mailLink,orderMoney}.test.ts',
      'src/http/routes/{refundsInDoubt,refundsTakenBack,returnedCodes,settlements,swap,upiAtDoor,usedTickets}.test.ts',
    ],
    // Groups of tests all of which are left out here (`testOnSqlite`).
    passWithNoTests: true,
    globalSetup: 'src/testing/postgresSetup.ts',
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    isolate: false,
  },
})

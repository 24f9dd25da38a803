// Plain JavaScript without dependencies: `--help` and wrong arguments are answered before anything is installed.
import { parseArgs } from 'node:util'

const flag = { type: 'boolean' }
const text = { type: 'string' }
const ANY = Number.POSITIVE_INFINITY

/**
 * What an organiser runs, in scripts/commands/run. Each command has its usage, its options besides --help, the number of words it takes, and whether it needs the tools
 * of tests and benchmarks. Examples follow the usage's first line, as typed in a
 * clone; the bundle shows `npm run keys -- list` as `garba keys list`.
 */
const RUN = {
  start: {
    usage: `Runs everything: installs and builds what is missing, then starts the server, and for a demo its sign-in and payments.
  npm start`,
  },
  serve: {
    usage: `Runs the built server alone: nothing is installed or built.
  npm run serve`,
  },
  backup: {
    usage: `Writes a copy of the database, even while a server runs.
  npm run backup -- FILE`,
    words: [1, 1],
  },
  restore: {
    usage: `Replaces the database with a backup and keeps the old database beside it. No server may be running.
  npm run restore -- FILE`,
    words: [1, 1],
  },
  doctor: {
    usage: `Checks everything that an evening needs, before it and while it runs.
  npm run doctor                  a line for each check
  npm run doctor -- --json        the same as JSON
  npm run doctor -- --settings    the settings and nothing else`,
    options: { json: flag, settings: flag },
  },
  drill: {
    usage: `Restores a backup into a temporary folder and checks it; the database in use stays as it is.
  npm run drill            the newest backup in BACKUP_DIR
  npm run drill -- FILE    this one, where the secret key of encrypted backups is`,
    words: [0, 1],
  },
  takeover: {
    usage: `Lets this machine take over from a server that is lost.
  npm run takeover -- BACKUP    with a backup, where the database is a file
  npm run takeover -- --here    with the database that is already here, even if another server has taken over from it
  npm run takeover              with the PostgreSQL database of DATABASE_URL; a standby is promoted`,
    options: { here: flag },
    words: [0, 1],
  },
  host: {
    usage: `Writes what a Debian or Ubuntu server needs to run this behind Caddy.
  npm run host -- tickets.example.org --to FOLDER
  npm run host -- garba.internal --to FOLDER --venue    a laptop in the venue's Wi-Fi, without internet
  ... --bundle    with the bundle that npm run bundle makes, so that the folder is all that the server needs
  ... --verify    also has this machine's Caddy and systemd check the files`,
    options: { to: text, venue: flag, bundle: flag, verify: flag },
    words: [1, 1],
  },
  keys: {
    usage: `Manages the keys that sign the QR codes of tickets; a running server uses changes at once.
  npm run keys -- list         shows them
  npm run keys -- rotate       makes a new one for tickets sold from now on; earlier codes stay valid
  npm run keys -- revoke ID    signs an earlier key's tickets again, then refuses its codes
And the key pair that encrypts backups; nothing is stored:
  npm run keys -- backup       makes one, and says where each half belongs`,
    words: [1, 2],
  },
  pair: {
    usage: `Pairs a phone without a sign-in, with every right, until six hours after the event.
  npm run pair -- "NAME"                makes a device with that name and shows its code, as text and as QR
  npm run pair -- --rehearsal "NAME"    the same for the rehearsal`,
    options: { rehearsal: flag },
    words: [1, 1],
  },
  rehearse: {
    usage: `Makes an evening to practise with, in its own database: the event and the crew, without guests, tickets and phones.
  npm run rehearse               makes it, with a sheet of 300 test codes
  npm run rehearse -- --reset    makes it again, as if nobody had been let in
  npm run rehearse -- --start    makes it if there is none (again with --reset), and runs its server until Ctrl-C;
                                 --url URL is where the crew's phones reach it: port 8443 of PUBLIC_URL by default`,
    options: { reset: flag, start: flag, url: text },
  },
  move: {
    usage: `Copies the SQLite database in DATA_DIR into an empty PostgreSQL one, while no server runs.
  npm run move -- --to postgres://USER:PASSWORD@HOST:5432/DATABASE`,
    options: { to: text },
  },
  bundle: {
    usage: `Makes one archive with all that a server runs; the server then needs no npm, no compiler and no network.
  npm run bundle -- FILE.tar.gz
  npm run bundle -- FILE.tar       larger, but faster to make`,
    words: [1, 1],
  },
}

const DEVELOP = {
  test: {
    tools: true,
    usage: `Runs every check and test; the last line says how many passed.
  npm test                     all of them
  npm test -- NAME ...         these steps, such as server or e2e
  npm test -- NAME --trace     browser tests with a trace of each failure
  npm run check                the quick ones: format, lint and types`,
    options: { quick: flag, trace: flag },
    words: [0, ANY],
  },
  dev: {
    usage: `Runs the pages with hot reload and a server that restarts on changes, with the demo's sign-in.
  npm run dev`,
  },
  build: {
    usage: `Builds the pages.
  npm run build`,
  },
  seed: {
    usage: `Fills the demo's database.
  npm run seed             the demo event and the first three roles
  npm run seed -- --big    5,000 users, 12,000 tickets and an evening at the gate`,
    options: { big: flag },
  },
  bench: {
    tools: true,
    usage: `Runs the benchmarks and prints each figure beside what it is compared with.
  npm run bench                all of them
  npm run bench -- WORD ...    those with one of the words in their path
  npm run bench -- --against FOLDER    this server and another checkout's, installed there, by turns`,
    options: { against: text },
    words: [0, ANY],
  },
  storm: {
    tools: true,
    usage: `Runs in full what npm test runs briefly. The same seed and number repeat a run.
  npm run storm -- fuzz [--seed N] [--requests N]   10,000 requests made from the API's own document, by all roles, against a
                                                    server in this process
  npm run storm -- sale [--seed N] [--buyers N] [--seconds N] [--kills N] [--payments 0]
                                                    20,000 buyers in a minute for 5,000 seats; some repeat a request, hang up,
                                                    fail to pay or pay late, and the server is killed twice; each must
                                                    have what was confirmed to them, once
  npm run storm -- types [--seed N] [--buyers N]    4,000 buyers of ticket types with seats, phases and codes, while the
                                                    server is killed twice; no type and no code is sold beyond its number
  npm run storm -- calledOff [--seed N] [--tickets N] [--kills N]
                                                    an event with 5,000 paid tickets is called off while the provider fails
                                                    and its balance runs low; every rupee goes back once
  npm run storm -- evening [--seed N] [--tickets N]
                                                    12,000 allowed and forbidden calls by crew, guests and phones while the
                                                    provider fails; then 12,000 tickets at 60 phones with wrong clocks and cut
                                                    networks, three kills, a restore and a takeover. The accountant checks
                                                    the tables, a witness who only heard the answers says who is inside,
                                                    and both gates must learn of every double
  npm run storm -- power [--seed N] [--moments N]   the disk of a busy server as a power cut may leave it at 200 moments: all
                                                    that was synced, and any part of the rest, in any order; the database
                                                    must open and hold all that was answered (needs strace)
  npm run storm -- protocol [--seed N] [--sequences N] [--minutes N] [--from N]
                                                    100,000 sequences of up to 40 steps, half at the gate with three real
                                                    scanners, half with money; a failing one is reported at its shortest;
                                                    it ends after 120 minutes, and says where to continue
With --on postgres, sale and evening run on a PostgreSQL server of their own.`,
    options: {
      seed: text,
      on: text,
      requests: text,
      sequences: text,
      tickets: text,
      buyers: text,
      moments: text,
      minutes: text,
      from: text,
      seconds: text,
      kills: text,
      payments: text,
    },
    words: [1, 1],
  },
  migration: {
    tools: true,
    usage: `Writes changes to the tables in server/src/store as a new migration.
  npm run migration -- what_it_changes`,
    words: [1, 1],
  },
  screens: {
    tools: true,
    usage: `Takes pictures of the screens.
  npm run screens -- FOLDER [WORDS]   every screen and state at four sizes, into a folder outside this one;
                                      with WORDS only those whose names match them
  npm run screens -- --manifest       the pictures of the README and the web manifests, in manifest/screenshots
  npm run screens -- --animation      the README's silent animation of buying, showing and scanning: shared/docs/tour.webp (needs img2webp)`,
    options: { manifest: flag, animation: flag },
    words: [0, ANY],
  },
  engines: {
    tools: true,
    usage: `Tests the guest app, the desk and the scanner in Firefox and in WebKit, and in Chromium through Caddy over HTTPS, the
server behind nginx, Apache and HAProxy of Debian's packages, compares the demo's identity process with Firebase's Auth emulator, and
builds clients from openapi.json.
  npm run engines            all of them
  npm run engines -- NAME    one of them: firefox, webkit, caddy, proxies, identity, openapi`,
    words: [0, ANY],
  },
}

const COMMANDS = { ...RUN, ...DEVELOP }

export const COMMAND_NAMES = Object.keys(COMMANDS)

export const findUsage = (name) => COMMANDS[name]?.usage

export const findScript = (name) => `scripts/commands/${name in RUN ? 'run' : 'develop'}/${name}.ts`

export const needsTools = (name) => COMMANDS[name].tools === true

export function parseArguments(name, args) {
  const { options = {}, words: [least, most] = [0, 0] } = COMMANDS[name]
  if (args.includes('--help') || args.includes('-h')) return 'help'
  try {
    const { values, positionals: words } = parseArgs({ args: [...args], options, allowPositionals: true })
    const isRight = words.length <= most && words.every((word) => word !== '')
    // Options may replace words, as in `takeover --here`, so the command itself must check for too few words.
    return isRight && (words.length >= least || Object.keys(values).length > 0) ? { values, words } : 'wrong'
  } catch (error) {
    if (String(error.code).startsWith('ERR_PARSE_ARGS')) return 'wrong'
    throw error
  }
}

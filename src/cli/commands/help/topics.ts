import { READINGS } from '../../../protocol/readings.ts';
import { table } from '../../context/table.ts';
import { EXIT_CODES, OK } from '../../exit-codes.ts';
import { ENVIRONMENT } from './environment-variables.ts';
import cronjob from './examples/cronjob.yaml?raw';
import crontab from './examples/crontab?raw';
import crontabCompare from './examples/crontab-compare?raw';
import indexedJob from './examples/indexed-job.yaml?raw';
import alerts from './examples/mop-alerts.yml?raw';
import service from './examples/mop-bill.service?raw';
import timer from './examples/mop-bill.timer?raw';
import notifyService from './examples/mop-notify@.service?raw';
import notify from './examples/mop-notify.sh?raw';
import parallel from './examples/parallel.sh?raw';
import { MEANINGS } from './exit-code-meanings.ts';
import { settings, settingsText } from './settings-text.ts';
import type { TopicName } from './topic-names.ts';

export interface Topic {
  readonly title: string;
  readonly text: string;
  /** The tables of the topic, for `--json`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

const exitCodes = [
  { code: OK, name: 'ok', meaning: 'done', retry: '' },
  ...(Object.keys(MEANINGS) as (keyof typeof MEANINGS)[])
    .map((name) => ({ code: EXIT_CODES[name], name, ...MEANINGS[name] }))
    .sort((a, b) => a.code - b.code),
];

const readings = Object.entries(READINGS).map(([name, { values, point }]) => ({
  name,
  values,
  point,
}));

export const TOPICS: Readonly<Record<TopicName, Topic>> = {
  'exit-codes': {
    title: 'Exit codes',
    text: `
${table(
  ['CODE', 'NAME', 'RETRY', 'MEANING'],
  exitCodes.map(({ code, name, retry, meaning }) => [String(code), name, retry, meaning]),
)}

Every failure prints a message, and a hint: line with the next step. With
--json, it prints one JSON line on stderr. A command that processes several
items exits with the common code of all failures, or with 12. In a run over
several bills, a day without trades is not a failure. A command that exceeds
--max-time exits with 6.

After exit code 4 of a call with result code 1002, find the mistake with:
mop sign verify --last

After SIGINT (130), SIGTERM or SIGHUP (143), the command removes its
temporary files and ends within 2 seconds. A second signal ends it immediately.`,
    data: { exit_codes: exitCodes },
  },

  environment: {
    title: 'Environment variables',
    text: `
${table(
  ['VARIABLE', 'MEANING'],
  ENVIRONMENT.map(({ variable, meaning }) => [variable, meaning]),
)}

Precedence: flag, variable, profile, default. An empty variable counts as unset.
With --env sandbox, configured credentials and addresses are ignored.
mop config list shows the current values with their sources.`,
    data: { variables: ENVIRONMENT },
  },

  signing: {
    title: 'How a request is signed',
    text: `
The signature is an MD5 over the fields of the request and the secret:

  1. Take the fields of the body and the common fields api_key, seq_id,
     timestamp and nonce, without sign.
  2. Write each value as text: the characters of a string, the digits of a
     number unchanged (1.0 stays 1.0), true or false, and compact JSON for
     objects and arrays.
  3. Sort by name, by UTF-16 code units: A before a.
  4. Join the pairs name=value with &, and append the secret directly.
  5. The signature is the MD5 of the UTF-8 bytes, as 32 upper-case hexadecimal
     digits.

                 body (protocol 1.0)     header (protocol 2.0)
  address        /open/v1/…              /api/open/…
  common fields  in the JSON body        in X-TMS-… headers
  null           left out                an empty value, or --null-as
  files          none                    a multipart form; files are not signed

mop sign explain shows these steps for your own request and makes invisible
characters visible. mop sign verify finds the mistakes in a wrong signature.

  mop sign explain '{"bill_type":0}' --env sandbox
  mop sign verify @request.json
  mop sign verify @program.log --all

After a refused call (result code 1002), find the mistake with:

  mop sign verify --last`,
  },

  scheduling: {
    title: 'Fetch bills every day, also on several machines',
    text: `
Bills are available from 10:00 of the next day, in the platform's time zone.
--missing fetches every bill of the last three months that is not recorded in
bills.jsonl, or whose file is missing. The next run therefore fetches the bills
of a failed run too. A run ends when the rest must fail too, for example after a
wrong secret; --keep-going tries all bills.
Retry after exit codes 6, 7 and 12. After exit code 8, retry later.

cron

${indented(crontab)}

systemd: save these as mop-bill.service and mop-bill.timer, then run
systemctl enable --now mop-bill.timer

${indented(service)}

${indented(timer)}

OnFailure= starts mop-notify@.service. Save the script as /usr/local/bin/mop-notify,
with mode 755, and the address of your group robot in /etc/mop-notify.env:

${indented(notifyService)}

${indented(notify)}

Prometheus: let a job write metrics for node_exporter after each fetch. The
alerts use them:

  mop bill status bills/ --quiet --prometheus /var/lib/node_exporter/mop.prom

${indented(alerts)}

Kubernetes

${indented(cronjob)}

Many merchants, months or machines: --shard I/N selects the I-th of N shares,
counted from 0 or from 1 (N/N is 0/N). A share depends only on date and type,
and with --all-profiles on the profile. Workers need no coordination: each bill
belongs to one worker, and a failed worker can run again. Workers may share a
directory, except on NFS: the ledger can lose lines there, and their bills are
then fetched again.

${indented(parallel)}

${indented(indexedJob)}

In Airflow, map a BashOperator over the commands:

  BashOperator.partial(task_id="bills").expand(bash_command=[
      f"mop bill fetch --missing --shard {i}/8 --quiet -o /bills/" for i in range(8)])

Fetch, compare, notify

Compare yesterday's bill with your own records each morning. Store the
comparison settings once, as the user of the crontab. order_id and paid_amount
are columns of the bill; id and total are columns of your records:

  mop config set compare_key order_id=id
  mop config set compare_amount paid_amount=total

cron mails all output to MAILTO. The command prints nothing if bill and records
are equal. It prints the report if they differ (exit code 15) or a step fails:

${indented(crontabCompare)}

Exit code 9 means that the day has no bill: check that your records are empty
too. Debian's cron does not support CRON_TZ: use the hour in the machine's time
zone. To notify without mail, pipe echo into another program. In a crontab,
write \\% for %. For example, this creates one folder per run:
--out differences/$(date +\\%F)/

With systemd, put both commands into one service of Type=oneshot, as two
ExecStart= lines, without Restart= and SuccessExitStatus=. Set OnFailure= to the
unit that notifies you.`,
  },

  settings: {
    title: 'Settings of a profile',
    text: `
${settingsText()}

mop config init asks for address, key and secret, tests them and stores them.
mop config set SETTING VALUE stores a setting. mop config list prints the
current settings. Precedence: flag, variable, profile, default.

A profile contains one of the three api_secret settings. MOP_BASE_URL and
MOP_OPEN_BASE_URL set the addresses of the current environment.

To replace a secret, test the new one, store it, and test it again:

  chmod 600 new-secret.txt
  mop doctor --secret-file new-secret.txt
  mop config set api_secret < new-secret.txt
  mop doctor`,
    data: { settings },
  },

  readings: {
    title: 'Readings: open points of the documents',
    text: `
The documents leave these points open; D1 is the document of the platform. The
first value of each is the default.

${readings.map(({ name, values, point }) => `${name.padEnd(16)}${values.join(', ')}\n    ${point}`).join('\n')}

To choose another value, use --reading NAME=VALUE (repeatable):

  mop sandbox --reading window=90d --reading replay=refuse
  mop sign verify @request.json --reading nested-json=compact
  mop sign explain @body.json --reading nested-json=as-sent

NAME=any accepts every reading: mop sign verify then prints a warning with the
reading that makes the signature correct. Without --reading, it tries every
reading of nested-json, null-in-header and header-names. mop sign explain signs
with the chosen readings, by default with compact and empty. Only
mop sandbox uses ready-time, window, modes and replay.`,
    data: { readings },
  },
};

function indented(text: string): string {
  return text.trimEnd().replace(/^(?=.)/gm, '  ');
}

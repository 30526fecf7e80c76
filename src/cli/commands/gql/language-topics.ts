import type { TopicName } from './language-topic-names.ts';

export interface Topic {
  readonly title: string;
  /** Paragraphs; those that begin with two spaces stay as they are laid out. */
  readonly text: string;
  /** Arguments of `mop` that show it; each runs without a configuration. */
  readonly examples: readonly (readonly string[])[];
}

/** @param options Each with its value, such as `-F last=2`. */
function gql(document: string, ...options: string[]): readonly string[] {
  const words = options.flatMap((option) => option.split(/ (.*)/s, 2));
  return ['gql', document, ...words, '--env', 'sandbox'];
}

export const TOPICS: Readonly<Record<TopicName, Topic>> = {
  kinds: {
    title: 'The root kinds of a schema',
    text: `
  schema        names the three types below (Query, Mutation, Subscription else)
  query         reads, and walks from one thing to the next
  mutation      changes data or triggers an action
  subscription  sends a result each time that something happens

A document without a keyword, { … }, is a query.`,
    examples: [
      gql('{ __schema { queryType { name } mutationType { name } subscriptionType { name } } }'),
      gql('query { bill { date count } }'),
    ],
  },
  scalars: {
    title: 'Scalars: values without fields of their own',
    text: `
  Int      a whole number from -2147483648 to 2147483647
  Float    a double-precision number, such as 1.5, 6.0e2 or 3
  String   UTF-8 text in double quotes, or a block between three of them
  Boolean  true or false
  ID       an identifier: text, or a whole number that is taken as text

Others are of the schema's own: scalar Date. What they accept is in their
description; a larger number than an Int is one of those, or text.`,
    examples: [
      gql('{ bills(last: 1) { id count rides(first: 1) { nodes { distanceKm city } } } }'),
      gql('{ __type(name: "Date") { kind name description } }'),
    ],
  },
  types: {
    title: 'The keywords that define types',
    text: `
  scalar Date                    a value of the schema's own
  type Bill { count: Int! }      an object with fields
  interface Node { id: ID! }     fields that several types have
  type Ride implements Node {…}  an object with all fields of the interface;
                                 several are written Node, Trip or Node & Trip
  union Result = Bill | Ride     one of several types, no field in common
  enum Level { LOW HIGH }        one of these names
  input Filter { city: String }  an object as an argument

mop gql schema prints those of an endpoint.`,
    examples: [
      ['gql', 'schema', '--env', 'sandbox'],
      gql('{ __type(name: "Ride") { kind possibleTypes { name } } }'),
    ],
  },
  modifiers: {
    title: 'Type modifiers: what may be null',
    text: `
            null  [null]  [1, null]  [1]
  T         yes
  T!        no
  [T]       yes   yes     yes        yes
  [T]!      no    yes     yes        yes
  [T!]      yes   no      no         yes
  [T!]!     no    no      no         yes

As an argument or a variable, a type with ! and without a default must be given.`,
    examples: [
      gql('{ bill { cities hourlyAverage } }'),
      gql('query ($ids: [ID!]!) { rides(ids: $ids) { city } }', '-F ids[]=1', '-F ids[]=2'),
    ],
  },
  definitions: {
    title: 'Arguments, defaults and input objects in a schema',
    text: `
  bills(last: Int! = 7, type: BillType! = ALL): [Bill!]!

A field lists its arguments between parentheses, each with its type; = gives it
a default, any of them may have one. An input object groups what belongs
together, in an argument or a variable:

  input BookingInput { city: String!  passengers: Int! = 1 }

An enum is the type of an argument or of a field. An interface lists the fields
that each type which implements it repeats; a union lists its types.`,
    examples: [
      gql('{ bills(last: 2, type: REFUND) { date type count } }'),
      gql(
        'mutation ($ride: BookingInput!) { bookRide(input: $ride) { city passengers } }',
        '-F ride[city]=杭州',
        '-F ride[passengers]=2',
      ),
    ],
  },
  fields: {
    title: 'Field selection',
    text: `
  { bill { date rides { nodes { city } } } }

A field of an object type needs a selection of its own; one of a scalar or an
enum has none. The result has the shape of the selection.`,
    examples: [gql('{ bill { date rides(first: 2) { nodes { city amount } } } }')],
  },
  comments: {
    title: 'Comments',
    text: `
What stands behind # is left out, up to the end of the line. Commas are white
space too.`,
    examples: [gql('# the bill of yesterday\n{ bill { date, count } }')],
  },
  arguments: {
    title: 'Arguments',
    text: `
  rides(first: 5, filter: { city: "杭州", discounted: true })

Values are numbers, text in double quotes, true and false, null, names of an
enum without quotes, lists in brackets and objects in braces.`,
    examples: [
      gql(
        '{ bill(type: PAID) { rides(first: 2, filter: { minDistanceKm: 1.5, discounted: true, payChannels: ["wechat"] }) { nodes { city payChannel } } } }',
      ),
    ],
  },
  aliases: {
    title: 'Aliases',
    text: `
  { paid: bill(type: PAID) { count }  refunds: bill(type: REFUND) { count } }

The name in front of the colon is the one in the result. So one field can be
asked for several times, with different arguments.`,
    examples: [gql('{ paid: bill(type: PAID) { count } refunds: bill(type: REFUND) { count } }')],
  },
  fragments: {
    title: 'Named fragments',
    text: `
  fragment Sum on Bill { count total }

A selection with a name, for the type behind on; ...Sum puts it in its place.
With mop gql validate, fragments may live in other files than the operations
that use them.`,
    examples: [
      gql(
        '{ all: bill { ...Sum } paid: bill(type: PAID) { ...Sum } } fragment Sum on Bill { count total }',
      ),
    ],
  },
  'inline-fragments': {
    title: 'Inline fragments',
    text: `
  ... on RefundedRide { refund }

Selects fields that only one of the types of an interface or a union has.`,
    examples: [
      gql(
        '{ search(text: "杭州", first: 3) { __typename ... on PaidRide { paid } ... on RefundedRide { refund whole } } }',
      ),
    ],
  },
  'operation-names': {
    title: 'Names of operations',
    text: `
  query LastBills { … }
  mutation Judge { … }

A document may hold several operations, each with a name; --operation chooses
one. Logs of servers show the name.`,
    examples: [
      gql(
        'query First { bill { date } } query LastBills { bills(last: 2) { date } }',
        '--operation LastBills',
      ),
    ],
  },
  variables: {
    title: 'Variables',
    text: `
  query ($last: Int!, $type: BillType) { … }

Declared behind the kind or the name, with $ and a type, and sent as a JSON
object beside the document; used wherever a value may stand, in fragments too.

  -F last=3              by its declared type: a number for Int, text for String
  -f text=3              always text
  -F ids[]=1 -F ids[]=2  the items of a list
  -F ids[0]=3            an item that is there already
  -F ride[city]=杭州     a field of an input object
  -F text=@file.txt      the content of a file
  --variables '{"last": 3}', @FILE or -`,
    examples: [
      gql(
        'query ($last: Int!, $type: BillType!) { bills(last: $last, type: $type) { date count } }',
        '-F last=2',
        '-F type=PAID',
      ),
      gql(
        'query ($first: Int!) { bill { ...Rides } } fragment Rides on Bill { rides(first: $first) { nodes { city } } }',
        '--variables {"first": 2}',
      ),
    ],
  },
  'default-variables': {
    title: 'Defaults of variables',
    text: `
  query ($last: Int! = 2) { … }

What a variable is when it is not given.`,
    examples: [
      gql('query ($last: Int! = 2) { bills(last: $last) { date } }'),
      gql('query ($last: Int! = 2) { bills(last: $last) { date } }', '-F last=1'),
    ],
  },
  include: {
    title: 'The directive @include',
    text: `
  rides @include(if: $withRides) { … }

The field, or the fragment, is there only when the argument is true.`,
    examples: [
      gql(
        'query ($withTotal: Boolean!) { bill { date total @include(if: $withTotal) } }',
        '-F withTotal=true',
      ),
    ],
  },
  skip: {
    title: 'The directive @skip',
    text: `
  rides @skip(if: $brief) { … }

The field, or the fragment, is left out when the argument is true.`,
    examples: [
      gql('query ($brief: Boolean!) { bill { date total @skip(if: $brief) } }', '-F brief=true'),
    ],
  },
  mutations: {
    title: 'Mutations',
    text: `
  mutation Judge($text: String!) { detect(text: $text) { level } }

Changes data or triggers an action, and selects from what came out of it.
Several fields are carried out one after the other. mop repeats a mutation only
when nothing reached the server, unless --retries says otherwise.`,
    examples: [
      gql(
        'mutation Judge($text: String!) { detect(text: $text) { level score hits { rule } } }',
        '-f text=You only need me.',
      ),
    ],
  },
  subscriptions: {
    title: 'Subscriptions',
    text: `
  subscription { rideProgress(city: "杭州") { step } }

A result for each event, a JSON line each, until the server completes it,
--count is reached, or Ctrl-C. Over server-sent events by default, with
--transport ws over a WebSocket (graphql-transport-ws).`,
    examples: [
      gql('subscription { rideProgress(everyMs: 10) { step } }'),
      gql('subscription { rideProgress { step } }', '--transport ws', '--count 2'),
    ],
  },
  typename: {
    title: 'The meta field __typename',
    text: `
The name of the concrete type of an object: what an interface or a union turned
out to be.`,
    examples: [gql('{ search(text: "杭州", first: 2) { __typename } }')],
  },
  results: {
    title: 'What comes back',
    text: `
  {"data": {"bill": {"date": "2026-11-19"}}}

The fields stand in data, under their names or aliases; lists are arrays. Errors
stand beside it in errors, each with a message, its path in the result and its
places in the document; mop tells them on stderr and ends with exit code 14.
--raw prints data alone.`,
    examples: [gql('{ bill { date } }', '--raw')],
  },
};

import type { TopicName } from './language-topic-names.ts';

export interface Topic {
  readonly title: string;
  /** Paragraphs; lines that begin with two spaces are printed unchanged. */
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
  schema        names the types of the three below; by default Query, Mutation
                and Subscription
  query         reads data, and follows the relations between objects
  mutation      changes data or triggers an action
  subscription  sends a result for each event

  schema { query: Query  mutation: Mutation }

A document without a keyword, { … }, is a query. mop gql schema prints the
schema of an endpoint.`,
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

A schema may define others: scalar Date. Their descriptions say which values
they accept. A whole number that exceeds Int needs such a scalar, or String.`,
    examples: [
      gql('{ bills(last: 1) { id count rides(first: 1) { nodes { distanceKm city } } } }'),
      gql('{ __type(name: "Date") { kind name description } }'),
    ],
  },
  types: {
    title: 'The keywords that define types',
    text: `
  scalar Date                    a custom scalar
  type Bill { count: Int! }      an object with fields
  interface Node { id: ID! }     fields that several types share
  type Ride implements Node {…}  an object with all fields of the interface;
                                 several are written Node, Trip or Node & Trip
  union Result = Bill | Ride     one of several object types
  enum Level { LOW HIGH }        one of these names
  input Filter { city: String }  an object as an argument

The fields of one type of an interface or a union are selected with an inline
fragment: mop gql help inline-fragments. An enum value is written without
quotes: mop gql help arguments.`,
    examples: [
      ['gql', 'schema', '--env', 'sandbox'],
      gql('{ __type(name: "Ride") { kind possibleTypes { name } } }'),
    ],
  },
  modifiers: {
    title: 'Type modifiers: lists and nullability',
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

A field lists its arguments between parentheses, each with its type. = gives an
argument a default; any of them may have one. An input object groups values in
an argument or a variable:

  input BookingInput { city: String!  passengers: Int! = 1 }

An enum is the type of an argument or of a field. An interface lists the fields
that every implementing type repeats; a union lists its types.`,
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

A field of an object type needs a selection; a field of a scalar or an enum does
not. The result has the shape of the selection.`,
    examples: [gql('{ bill { date rides(first: 2) { nodes { city amount } } } }')],
  },
  comments: {
    title: 'Comments',
    text: `
A comment begins with # and ends with the line. Commas count as white space.`,
    examples: [gql('# the bill of yesterday\n{ bill { date, count } }')],
  },
  arguments: {
    title: 'Arguments',
    text: `
  rides(first: 5, filter: { city: "杭州", discounted: true })

Values are numbers, text in double quotes, true and false, null, enum values
without quotes, lists in brackets and objects in braces.`,
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

The name before the colon is the name in the result. One field can be selected
several times, with different arguments.`,
    examples: [gql('{ paid: bill(type: PAID) { count } refunds: bill(type: REFUND) { count } }')],
  },
  fragments: {
    title: 'Named fragments',
    text: `
  fragment Sum on Bill { count total }

A selection with a name, for the type after on; ...Sum inserts it. With mop gql
validate, fragments may be in other files than the operations that use them.`,
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

A document may contain several operations, each with a name; --operation chooses
one. Server logs show the name.`,
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

A variable is declared after the keyword or the name, with $ and a type. Values
are sent as a JSON object beside the document. A variable may replace any value,
also in fragments.

  -F last=3              by its declared type: a number for Int, text for String
  -f text=null           text, unless the declared type is a number or Boolean
  -F ids[]=1 -F ids[]=2  the items of a list
  -F ids[0]=3            an existing item
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

The value of a variable that is not given.`,
    examples: [
      gql('query ($last: Int! = 2) { bills(last: $last) { date } }'),
      gql('query ($last: Int! = 2) { bills(last: $last) { date } }', '-F last=1'),
    ],
  },
  directives: {
    title: 'Directives',
    text: `
  total @include(if: $withTotal)
  total @skip(if: $brief)

A directive begins with @ and changes the field or the fragment before it. Every
server has @include and @skip: mop gql help include, mop gql help skip. A schema
may define others, for documents or for itself: @deprecated marks a field that
will be removed.`,
    examples: [
      gql('{ bill { date total @include(if: true) count @skip(if: true) } }'),
      gql('{ __schema { directives { name locations } } }'),
    ],
  },
  include: {
    title: 'The directive @include',
    text: `
  rides @include(if: $withRides) { … }

Includes the field, or the fragment, only when the argument is true.`,
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

Skips the field, or the fragment, when the argument is true.`,
    examples: [
      gql('query ($brief: Boolean!) { bill { date total @skip(if: $brief) } }', '-F brief=true'),
    ],
  },
  mutations: {
    title: 'Mutations',
    text: `
  mutation Judge($text: String!) { detect(text: $text) { level } }

Changes data or triggers an action, and selects from the result. Several fields
are executed one after the other. mop repeats a mutation only when nothing
reached the server, unless you give --retries.`,
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

Prints a JSON line for each event, until the server completes the subscription,
--count is reached, or Ctrl-C. The default is server-sent events; --transport ws
uses a WebSocket (graphql-transport-ws).`,
    examples: [
      gql('subscription { rideProgress(everyMs: 10) { step } }'),
      gql('subscription { rideProgress { step } }', '--transport ws', '--count 2'),
    ],
  },
  typename: {
    title: 'The meta field __typename',
    text: `
The name of the concrete type of an object, in a query for an interface or a
union.`,
    examples: [gql('{ search(text: "杭州", first: 2) { __typename } }')],
  },
  results: {
    title: 'Results and errors',
    text: `
  {"data": {"bill": {"date": "2026-11-19"}}}

data contains the selected fields under their names or aliases; lists are
arrays. errors lists each error with its message, its path in the result and its
places in the document; mop reports them on stderr with exit code 14. --raw
prints data alone.`,
    examples: [gql('{ bill { date } }', '--raw')],
  },
};

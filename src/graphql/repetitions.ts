import { type ASTNode, type DocumentNode, print, visit } from 'graphql';

/** The members of nodes that contain definitions. */
const LISTS: readonly string[] = ['definitions', 'fields', 'values', 'arguments'];

/**
 * A document without definitions that repeat an earlier one of their list, apart from descriptions.
 * They hide nothing; published schemas of GitHub have some.
 */
export function withoutRepetitions(document: DocumentNode): DocumentNode {
  return visit(document, {
    enter: (node) => {
      const lists = Object.entries(node).filter(([name]) => LISTS.includes(name));
      return { ...node, ...Object.fromEntries(lists.map(([name, list]) => [name, unique(list)])) };
    },
  });
}

function unique(nodes: readonly ASTNode[]): readonly ASTNode[] {
  return [...new Map(nodes.toReversed().map((node) => [textOf(node), node])).values()].reverse();
}

function textOf(node: ASTNode): string {
  const bare = (each: ASTNode) =>
    'description' in each ? { ...each, description: undefined } : undefined;
  return print(visit(node, { enter: bare }));
}

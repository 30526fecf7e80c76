import { type ASTNode, type DocumentNode, isValueNode, Kind, print, visit } from 'graphql';

/** The members of nodes that contain definitions. */
const LISTS: readonly string[] = ['definitions', 'fields', 'values', 'arguments'];

/** Removes definitions that repeat one of their list, as in published schemas of GitHub. */
export function withoutRepetitions(document: DocumentNode): DocumentNode {
  return visit(document, {
    enter: (node) => {
      // These may contain one value several times.
      if (isValueNode(node) || node.kind === Kind.DIRECTIVE) return false;
      const lists = Object.entries(node).filter(([name]) => LISTS.includes(name));
      return { ...node, ...Object.fromEntries(lists.map(([name, list]) => [name, unique(list)])) };
    },
  });
}

function unique(nodes: readonly ASTNode[]): readonly ASTNode[] {
  const seen = new Set<string>();
  const repeated = new Set(nodes.map(keyOf).filter((key) => seen.size === seen.add(key).size));
  const texts = new Set<string>();
  return nodes.filter(
    (node) => !repeated.has(keyOf(node)) || texts.size < texts.add(textOf(node)).size,
  );
}

function keyOf(node: ASTNode): string {
  return `${node.kind} ${'name' in node ? node.name?.value : ''}`;
}

function textOf(node: ASTNode): string {
  const bare = (each: ASTNode) =>
    'description' in each ? { ...each, description: undefined } : undefined;
  return print(visit(node, { enter: bare }));
}

import { type DataTypeNode, type KyselyPlugin, OperationNodeTransformer, RawNode } from 'kysely';

class BytewiseTextTransformer extends OperationNodeTransformer {
  protected override transformDataType(node: DataTypeNode): DataTypeNode {
    if (node.dataType !== 'text') return super.transformDataType(node);
    return RawNode.createWithSql('text collate "C"') as unknown as DataTypeNode;
  }
}

/**
 * Makes every text column compare byte by byte. This gives the same order as in SQLite, whatever locale the server was set up with, and
 * ensures that a newer system library cannot change the sort order of an index.
 */
export const bytewiseText: KyselyPlugin = (() => {
  const transformer = new BytewiseTextTransformer();
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  };
})();

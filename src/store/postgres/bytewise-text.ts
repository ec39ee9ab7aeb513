import { type DataTypeNode, type KyselyPlugin, OperationNodeTransformer, RawNode } from 'kysely';

class BytewiseTextTransformer extends OperationNodeTransformer {
  protected override transformDataType(node: DataTypeNode): DataTypeNode {
    if (node.dataType !== 'text') return super.transformDataType(node);
    return RawNode.createWithSql('text collate "C"') as unknown as DataTypeNode;
  }
}

/**
 * Makes every column of type text one that is compared byte by byte: the same order as in SQLite, whatever language the server was
 * set up for, and no index that a newer system library sorts in another way.
 */
export const bytewiseText: KyselyPlugin = (() => {
  const transformer = new BytewiseTextTransformer();
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  };
})();

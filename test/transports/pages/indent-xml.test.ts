import { expect } from 'chai';
import { indentXml } from '../../../src/transports/pages/indent-xml.ts';
import { linesOf, parseXmlTree } from '../../cases/xml-tree.ts';

describe('Indented XML', () => {
  it('Elements that contain elements are on lines of their own.', () => {
    expect(indentXml('<?xml version="1.0"?><a x="1"><b>t</b><c><d/><e></e></c></a>')).to.equal(
      '<?xml version="1.0"?>\n<a x="1">\n  <b>t</b>\n  <c>\n    <d/>\n    <e></e>\n  </c>\n</a>',
    );
  });

  it('Values keep their white space and line breaks.', () => {
    const xml = '<a><b> x\n y </b><c>  </c></a>';
    expect(indentXml(xml)).to.include('<b> x\n y </b>').and.include('<c>  </c>');
    expect(linesOf(parseXmlTree(indentXml(xml).replace(/>\n *</g, '><')))).to.equal(linesOf(parseXmlTree(xml)));
  });
});

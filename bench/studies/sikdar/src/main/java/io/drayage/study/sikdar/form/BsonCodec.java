package io.drayage.study.sikdar.form;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import de.undercouch.bson4jackson.BsonFactory;
import edu.rice.dmodel.LineItem;
import edu.rice.dmodel.Part;
import java.io.IOException;

/**
 * BSON through Jackson. The study's code leaves out the size of a part, and three fields of a
 * single line item; {@code asCoded} leaves them out too.
 */
final class BsonCodec implements ObjectCodec {
  private final boolean asCoded;
  private final ObjectMapper mapper = new ObjectMapper(new BsonFactory());

  BsonCodec(boolean asCoded) {
    this.asCoded = asCoded;
    if (asCoded) {
      mapper.addMixIn(Part.class, PartAsCoded.class);
      mapper.addMixIn(LineItem.class, LineItemAsCoded.class);
    }
  }

  @Override
  public String name() {
    return asCoded ? "BSON as coded" : "BSON";
  }

  @Override
  public byte[] write(ObjectKind kind, Object object) throws IOException {
    return mapper.writeValueAsBytes(object);
  }

  @Override
  public Object read(ObjectKind kind, byte[] bytes) throws IOException {
    return mapper.readValue(bytes, kind.type());
  }

  @JsonIgnoreProperties("size")
  private interface PartAsCoded {}

  @JsonIgnoreProperties({"lineStatus", "commitDate", "receiptDate"})
  private interface LineItemAsCoded {}
}

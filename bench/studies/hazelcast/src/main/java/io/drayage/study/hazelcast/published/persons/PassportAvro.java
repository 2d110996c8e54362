package io.drayage.study.hazelcast.published.persons;

import java.io.Serial;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;

/** A passport in the form of Avro's generator. */
public final class PassportAvro extends SpecificRecordBase {
  @Serial private static final long serialVersionUID = 1;

  static final Schema SCHEMA =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "PassportAvro",
               "namespace": "io.drayage.study.hazelcast.published.persons",
               "fields": [
                 {"name": "expiryDate", "type": {"type": "string", "avro.java.string": "String"}},
                 {"name": "issuingCountry", "type": {"type": "string", "avro.java.string": "String"}},
                 {"name": "issuingDate", "type": "long"}]}
              """);

  private final transient Passport fields = new Passport();

  /** Makes an empty passport, which Avro fills. */
  public PassportAvro() {}

  public PassportAvro(Passport from) {
    from.copyTo(fields);
  }

  @Override
  public Schema getSchema() {
    return SCHEMA;
  }

  @Override
  public Object get(int field) {
    return switch (field) {
      case 0 -> fields.expiryDate;
      case 1 -> fields.issuingCountry;
      default -> fields.issuingDate;
    };
  }

  @Override
  public void put(int field, Object value) {
    switch (field) {
      case 0 -> fields.expiryDate = (String) value;
      case 1 -> fields.issuingCountry = (String) value;
      default -> fields.issuingDate = (Long) value;
    }
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}

package io.drayage.study.hazelcast.published.persons;

import java.io.Serial;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/** A person in the form of Avro's generator. */
public final class PersonAvro extends SpecificRecordBase {
  @Serial private static final long serialVersionUID = 1;

  public static final Schema SCHEMA =
      SchemaBuilder.record("PersonAvro")
          .namespace(PersonAvro.class.getPackageName())
          .fields()
          .name("firstName")
          .type(PassportAvro.SCHEMA.getField("expiryDate").schema())
          .noDefault()
          .name("lastName")
          .type(PassportAvro.SCHEMA.getField("expiryDate").schema())
          .noDefault()
          .name("passport")
          .type(Schema.createUnion(List.of(Schema.create(Schema.Type.NULL), PassportAvro.SCHEMA)))
          .noDefault()
          .endRecord();

  private String firstName = "";
  private String lastName = "";
  private @Nullable PassportAvro passport;

  /** Makes an empty person, which Avro fills. */
  public PersonAvro() {}

  public PersonAvro(Person from) {
    firstName = from.firstName;
    lastName = from.lastName;
    passport = from.passport == null ? null : new PassportAvro(from.passport);
  }

  @Override
  public Schema getSchema() {
    return SCHEMA;
  }

  @Override
  public @Nullable Object get(int field) {
    return switch (field) {
      case 0 -> firstName;
      case 1 -> lastName;
      default -> passport;
    };
  }

  @Override
  public void put(int field, Object value) {
    switch (field) {
      case 0 -> firstName = (String) value;
      case 1 -> lastName = (String) value;
      default -> passport = (PassportAvro) value;
    }
  }

  @Override
  public String toString() {
    return "%s %s %s".formatted(firstName, lastName, passport);
  }
}

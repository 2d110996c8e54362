package io.drayage.study.hazelcast;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.hazelcast.config.SerializationConfig;
import com.hazelcast.config.SerializerConfig;
import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.nio.serialization.Serializer;
import io.drayage.study.hazelcast.proto.PassportMessage;
import io.drayage.study.hazelcast.proto.PersonMessage;
import io.drayage.study.hazelcast.published.persons.Passport;
import io.drayage.study.hazelcast.published.persons.PassportDataSerializable;
import io.drayage.study.hazelcast.published.persons.PassportExternalizable;
import io.drayage.study.hazelcast.published.persons.PassportIdentified;
import io.drayage.study.hazelcast.published.persons.PassportPortable;
import io.drayage.study.hazelcast.published.persons.PassportVersionedPortable;
import io.drayage.study.hazelcast.published.persons.Person;
import io.drayage.study.hazelcast.published.persons.PersonAvro;
import io.drayage.study.hazelcast.published.persons.PersonDataSerializable;
import io.drayage.study.hazelcast.published.persons.PersonExternalizable;
import io.drayage.study.hazelcast.published.persons.PersonIdentified;
import io.drayage.study.hazelcast.published.persons.PersonPortable;
import io.drayage.study.hazelcast.published.persons.PersonSerializable;
import io.drayage.study.hazelcast.published.persons.PersonVersionedPortable;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** The compared options. */
final class Options {
  static final JsonMapper JSON = JsonMapper.builder().build();

  private Options() {}

  /** Makes all options: the study's ten, then the additional ones. */
  static List<Option> all() {
    return List.of(
        option("Serializable", new SerializationConfig(), PersonSerializable::new),
        option(
            "Externalizable",
            new SerializationConfig(),
            copying(PersonExternalizable::new, PassportExternalizable::new)),
        option(
            "DataSerializable",
            new SerializationConfig(),
            copying(PersonDataSerializable::new, PassportDataSerializable::new)),
        option(
            "IdentifiedDataSerializable",
            new SerializationConfig()
                .addDataSerializableFactory(
                    1, id -> id == 1 ? new PersonIdentified() : new PassportIdentified()),
            copying(PersonIdentified::new, PassportIdentified::new)),
        portable(),
        versionedPortable(),
        option("HazelcastJsonValue", new SerializationConfig(), Options::json),
        option("Avro", with(PersonAvro.class, new StreamSerializers.OfAvro()), PersonAvro::new),
        option("Kryo", with(Person.class, new StreamSerializers.OfKryo()), person -> person),
        option(
            "protobuf",
            with(PersonMessage.class, new StreamSerializers.OfProtobuf()),
            Options::message),
        option("Compact", new SerializationConfig(), person -> person),
        option(
            "JSON built and parsed",
            with(Person.class, new StreamSerializers.OfJson()),
            person -> person),
        new ForyOption(),
        new ColumnOption("raw"),
        new ColumnOption("columnar"));
  }

  /** Makes the option with this name. */
  static Option ofName(String name) {
    return all().stream().filter(option -> option.name().equals(name)).findFirst().orElseThrow();
  }

  @SuppressWarnings("removal") // The study compares it.
  private static Option portable() {
    return option(
        "Portable",
        new SerializationConfig()
            .addPortableFactory(2, id -> id == 1 ? new PersonPortable() : new PassportPortable()),
        copying(PersonPortable::new, PassportPortable::new));
  }

  @SuppressWarnings("removal")
  private static Option versionedPortable() {
    return option(
        "VersionedPortable",
        new SerializationConfig()
            .addPortableFactory(
                3, id -> id == 1 ? new PersonVersionedPortable() : new PassportVersionedPortable()),
        copying(PersonVersionedPortable::new, PassportVersionedPortable::new));
  }

  private static Option option(
      String name, SerializationConfig config, Function<Person, Object> toOwn) {
    SerializationService service =
        new DefaultSerializationServiceBuilder()
            .setConfig(config)
            .setSchemaService(new LocalSchemas())
            .build();
    return new ServiceOption(name, service, toOwn);
  }

  private static SerializationConfig with(Class<?> type, Serializer serializer) {
    return new SerializationConfig()
        .addSerializerConfig(
            new SerializerConfig().setTypeClass(type).setImplementation(serializer));
  }

  private static Function<Person, Object> copying(
      Supplier<? extends Person> person, Supplier<? extends Passport> passport) {
    return from ->
        from.copyTo(
            person.get(), from.passport == null ? null : from.passport.copyTo(passport.get()));
  }

  /** Makes the JSON before the clock runs, as in the study. */
  private static Object json(Person person) {
    try {
      String passport =
          person.passport == null
              ? ""
              : ",\"passport\":" + JSON.writeValueAsString(person.passport);
      return new HazelcastJsonValue(
          "{\"firstName\":\"%s\",\"lastName\":\"%s\"%s}"
              .formatted(person.firstName, person.lastName, passport));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object message(Person person) {
    PersonMessage.Builder message =
        PersonMessage.newBuilder().setFirstName(person.firstName).setLastName(person.lastName);
    Passport passport = person.passport;
    if (passport != null) {
      message.setPassport(
          PassportMessage.newBuilder()
              .setExpiryDate(passport.expiryDate)
              .setIssuingCountry(passport.issuingCountry)
              .setIssuingDate(passport.issuingDate));
    }
    return message.build();
  }
}

package io.drayage.study.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.child.StudySettings;
import io.drayage.study.hazelcast.published.persons.Person;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(180)
class OptionsTest {
  private static final int PERSONS = 100_000;

  /** The sum is the same for any number. */
  private static final int OURS = 10_000;

  /** Values of the published draw: persons with a passport, and characters of all names. */
  private static final long PUBLISHED_PASSPORTS = 50_058;

  private static final long PUBLISHED_CHARACTERS = 1_243_245;

  /** The study's sum starts at -1. */
  private static final long PUBLISHED_START = -1;

  static Stream<String> names() {
    return Options.all().stream().map(Option::name);
  }

  @ParameterizedTest
  @MethodSource("names")
  void personsComeBackAsTheyWere(String name) throws IOException {
    Option option = Options.ofName(name);
    for (Object own : option.own(Persons.make(1_100, 7))) {
      Object read = option.read(option.write(own));
      assertThat(read.toString()).as(name).isEqualTo(own.toString());
    }
  }

  /** Bytes of a person without names, additional bytes of a passport, and the published total. */
  @ParameterizedTest
  @CsvSource({
    "Serializable, 229, 162, 32252640",
    "Externalizable, 88, 111, 15599682",
    "DataSerializable, 92, 103, 15599218",
    "IdentifiedDataSerializable, 29, 38, 6045448",
    "Portable, 95, 101, 15799102",
    "VersionedPortable, 95, 101, 15799102",
    "HazelcastJsonValue, 42, 90, 9948464",
    "Avro, 11, 21, 3394462",
    "Kryo, 9, 19, 3094346",
    "protobuf, 16, 26, 4144752"
  })
  void takesAsManyBytesAsPublished(String name, long person, long passport, long total)
      throws IOException {
    List<Person> persons = Persons.make(OURS, 1);
    long passports = persons.stream().filter(each -> each.passport != null).count();
    long characters =
        persons.stream().mapToLong(each -> each.firstName.length() + each.lastName.length()).sum();

    assertThat(HazelcastStudy.totalBytes(Options.ofName(name), persons))
        .isEqualTo(OURS * person + passports * passport + characters);
    assertThat(total)
        .isEqualTo(
            PERSONS * person
                + PUBLISHED_PASSPORTS * passport
                + PUBLISHED_CHARACTERS
                + PUBLISHED_START);
  }

  @Test
  void compactIsAsLargeAsItsFormat() throws IOException {
    Person person = Persons.make(1, 1).get(0);
    int names = person.firstName.length() + person.lastName.length();
    Option compact = Options.ofName("Compact");
    assertThat(compact.write(person)).hasSize(31 + 43 + names);
    person.passport = null;
    assertThat(compact.write(person)).hasSize(31 + names);
  }

  @Test
  void measuresEveryOption() throws Exception {
    List<String> systems = new ArrayList<>();
    new HazelcastStudy()
        .run(
            new StudySettings("sizes", 10, false, 1, StudySettings.Servers.LOOPBACK),
            measurement -> systems.add(measurement.system()));
    assertThat(systems).containsExactlyElementsOf(names().toList());
  }
}

package io.drayage.study.hazelcast;

import io.drayage.study.hazelcast.published.persons.Passport;
import io.drayage.study.hazelcast.published.persons.Person;
import java.util.List;
import org.apache.fory.Fory;
import org.apache.fory.config.Language;

/** Fory with registered classes, without Hazelcast's service. */
final class ForyOption implements Option {
  private final Fory fory =
      Fory.builder().withLanguage(Language.JAVA).requireClassRegistration(true).build();

  ForyOption() {
    fory.register(Person.class);
    fory.register(Passport.class);
  }

  @Override
  public String name() {
    return "Fory";
  }

  @Override
  public List<?> own(List<Person> persons) {
    return persons;
  }

  @Override
  public byte[] write(Object own) {
    return fory.serialize(own);
  }

  @Override
  public Object read(byte[] bytes) {
    return fory.deserialize(bytes);
  }
}

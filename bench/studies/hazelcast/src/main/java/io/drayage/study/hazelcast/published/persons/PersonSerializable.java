package io.drayage.study.hazelcast.published.persons;

import java.io.Serial;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** A person for Java's serialization. */
public final class PersonSerializable implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  private final String firstName;
  private final String lastName;
  private final @Nullable PassportSerializable passport;

  public PersonSerializable(Person from) {
    firstName = from.firstName;
    lastName = from.lastName;
    passport = from.passport == null ? null : new PassportSerializable(from.passport);
  }

  @Override
  public String toString() {
    return "%s %s %s".formatted(firstName, lastName, passport);
  }
}

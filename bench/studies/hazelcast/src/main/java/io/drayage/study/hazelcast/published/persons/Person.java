package io.drayage.study.hazelcast.published.persons;

import org.jspecify.annotations.Nullable;

/** A person, who may have a passport. */
public class Person {
  public String firstName = "";
  public String lastName = "";
  public @Nullable Passport passport;

  /** Copies the fields, with another passport. */
  public final <T extends Person> T copyTo(T target, @Nullable Passport other) {
    target.firstName = firstName;
    target.lastName = lastName;
    target.passport = other;
    return target;
  }

  @Override
  public final String toString() {
    return "%s %s %s".formatted(firstName, lastName, passport);
  }
}

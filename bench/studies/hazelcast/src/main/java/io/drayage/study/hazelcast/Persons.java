package io.drayage.study.hazelcast;

import io.drayage.study.hazelcast.published.persons.Passport;
import io.drayage.study.hazelcast.published.persons.Person;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The study's persons: random names, and one passport that about half of the persons share. */
final class Persons {
  private static final String[] FIRST_NAMES =
      ("William Patrick Jon Tom Peter Colin Sylvester Paul Christopher David Matt Peter Jodie"
              + " Julie")
          .split(" ", -1);
  private static final String[] LAST_NAMES =
      ("Hartnell Troughton Pertwee Baker Davison Baker McCoy McGann Eccleston Tennant Smith"
              + " Capaldi Whittaker Forster")
          .split(" ", -1);

  private Persons() {}

  static List<Person> make(int count, long seed) {
    Random random = new Random(seed);
    Passport passport = new Passport();
    passport.expiryDate = "2021-05-01";
    passport.issuingCountry = "GBR";
    passport.issuingDate = 1_619_827_200_000L;
    List<Person> persons = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Person person = new Person();
      person.firstName = FIRST_NAMES[random.nextInt(FIRST_NAMES.length)];
      person.lastName = LAST_NAMES[random.nextInt(LAST_NAMES.length)];
      // The first person always has a passport.
      if (i == 0 || random.nextBoolean()) {
        person.passport = passport;
      }
      persons.add(person);
    }
    return persons;
  }
}

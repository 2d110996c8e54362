package io.drayage.study.hazelcast;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TextBuilder;
import io.drayage.cargo.TextPage;
import io.drayage.study.BatchWriter;
import io.drayage.study.hazelcast.published.persons.Passport;
import io.drayage.study.hazelcast.published.persons.Person;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A thousand persons at a time, one column for each field, by a segment serializer of this project.
 * Passports are a separate table; a column says which persons have one.
 */
final class ColumnOption implements Option {
  private static final int BATCH = 1_000;

  private final String name;
  private final BatchWriter columns;

  ColumnOption(String name) {
    this.name = name;
    this.columns = new BatchWriter(name);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<?> own(List<Person> persons) {
    List<List<Person>> batches = new ArrayList<>();
    for (int start = 0; start < persons.size(); start += BATCH) {
      batches.add(persons.subList(start, Math.min(start + BATCH, persons.size())));
    }
    return batches;
  }

  @Override
  public byte[] write(Object own) {
    List<?> batch = (List<?>) own;
    TextBuilder firstNames = new TextBuilder();
    TextBuilder lastNames = new TextBuilder();
    TextBuilder expiryDates = new TextBuilder();
    TextBuilder countries = new TextBuilder();
    boolean[] has = new boolean[batch.size()];
    List<Passport> passports = new ArrayList<>();
    for (int i = 0; i < has.length; i++) {
      Person person = (Person) batch.get(i);
      firstNames.add(person.firstName);
      lastNames.add(person.lastName);
      has[i] = person.passport != null;
      if (person.passport != null) {
        passports.add(person.passport);
        expiryDates.add(person.passport.expiryDate);
        countries.add(person.passport.issuingCountry);
      }
    }
    return columns.write(
        List.of(
            texts(firstNames),
            texts(lastNames),
            ColumnValues.of(new boolean[][] {has}),
            texts(expiryDates),
            texts(countries),
            ColumnValues.of(
                new long[][] {passports.stream().mapToLong(each -> each.issuingDate).toArray()})));
  }

  private static ColumnValues texts(TextBuilder texts) {
    return ColumnValues.of(new TextPage[] {texts.build()});
  }

  @Override
  public Object read(byte[] bytes) throws IOException {
    List<ColumnValues> read = columns.read(bytes);
    TextPage firstNames = read.get(0).texts(0);
    TextPage lastNames = read.get(1).texts(0);
    boolean[] has = (boolean[]) read.get(2).page(0);
    TextPage expiryDates = read.get(3).texts(0);
    TextPage countries = read.get(4).texts(0);
    long[] dates = (long[]) read.get(5).page(0);
    List<Person> persons = new ArrayList<>(has.length);
    int next = 0;
    for (int i = 0; i < has.length; i++) {
      Person person = new Person();
      person.firstName = firstNames.get(i);
      person.lastName = lastNames.get(i);
      if (has[i]) {
        Passport passport = new Passport();
        passport.expiryDate = expiryDates.get(next);
        passport.issuingCountry = countries.get(next);
        passport.issuingDate = dates[next++];
        person.passport = passport;
      }
      persons.add(person);
    }
    return persons;
  }
}

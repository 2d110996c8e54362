package io.drayage.study.hazelcast;

import io.drayage.study.hazelcast.published.persons.Person;
import java.io.IOException;
import java.util.List;

/** One way to write persons. Not thread-safe. */
interface Option {
  String name();

  /** What it writes, one after the other: an object of its own for each person, or batches. */
  List<?> own(List<Person> persons);

  byte[] write(Object own) throws IOException;

  /** What was written, with the text of the person or of all persons of the batch. */
  Object read(byte[] bytes) throws IOException;
}

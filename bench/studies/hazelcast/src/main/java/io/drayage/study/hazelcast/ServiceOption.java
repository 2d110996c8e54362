package io.drayage.study.hazelcast;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.serialization.impl.HeapData;
import io.drayage.study.hazelcast.published.persons.Person;
import java.util.List;
import java.util.function.Function;

/**
 * An option of Hazelcast's serialization service, whose envelope of 8 bytes counts.
 *
 * @param service for this option alone
 * @param toOwn converts a person to the option's class
 */
record ServiceOption(String name, SerializationService service, Function<Person, Object> toOwn)
    implements Option {
  @Override
  public List<?> own(List<Person> persons) {
    return persons.stream().map(toOwn).toList();
  }

  @Override
  public byte[] write(Object own) {
    Data data = service.toData(own);
    return data.toByteArray();
  }

  @Override
  public Object read(byte[] bytes) {
    return service.toObject(new HeapData(bytes));
  }
}

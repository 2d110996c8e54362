package io.drayage.study.hazelcast;

import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The schemas of Compact, which a cluster would replicate. Thread-safe. */
final class LocalSchemas implements SchemaService {
  private final Map<Long, Schema> schemas = new ConcurrentHashMap<>();

  @Override
  public Schema get(long id) {
    return Objects.requireNonNull(schemas.get(id), () -> "no schema " + id);
  }

  @Override
  public void put(Schema schema) {
    putLocal(schema);
  }

  @Override
  public void putLocal(Schema schema) {
    schemas.put(schema.getSchemaId(), schema);
  }
}

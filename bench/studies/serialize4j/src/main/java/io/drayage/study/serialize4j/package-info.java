/** What objects, fields and types cost in five libraries, after serialize4j. */
@NullMarked
package io.drayage.study.serialize4j;

import org.jspecify.annotations.NullMarked;
